/** What the engine loads when somebody comes, or it asks somebody: all of it, so that its compiled code can be kept. */
export const loadLate = (): Promise<unknown> =>
  Promise.all([
    import('./control/server.ts'),
    import('./terminals/host/sockets.ts'),
    import('./providers/transport.ts'),
    import('./web/hop.ts'),
  ])
