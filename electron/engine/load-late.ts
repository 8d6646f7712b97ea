/** What the engine loads when somebody comes for it, all at once: so that what V8 makes of it can be kept. */
export const loadLate = (): Promise<unknown> =>
  Promise.all([import('./control/server.ts'), import('./terminals/host/sockets.ts')])
