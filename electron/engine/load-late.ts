/** Node's own modules that the parts behind them need; `import` of one finds no loader in code that is kept. */
const ofNode = (name: 'node:tls' | 'node:http2') => async () => process.getBuiltinModule?.(name)

const parts = [
  ofNode('node:tls'),
  ofNode('node:http2'),
  () => import('./providers/transport.ts'),
  () => import('./terminals/host/sockets.ts'),
  () => import('./control/server.ts'),
  () => import('./web/hop.ts'),
]

/**
 * What an engine needs when somebody comes, or it asks somebody, and not to listen. It is loaded right behind that, for
 * an update may replace the program's files under it; one after the other, so that requests that come are not held up
 * by all of it.
 */
export async function loadLate(): Promise<void> {
  for (const load of parts) {
    await load()
    await new Promise((resolve) => setImmediate(resolve))
  }
}
