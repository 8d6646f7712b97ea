/**
 * What an engine needs when somebody comes, or it asks somebody, and not to listen. It is loaded right behind that, for
 * an update may replace the program's files under it.
 */
export const loadLate = (): Promise<unknown> =>
  Promise.all([
    import('./control/server.ts'),
    import('./terminals/host/sockets.ts'),
    import('./providers/transport.ts'),
    import('./web/hop.ts'),
  ])
