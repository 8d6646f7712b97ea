import { ownTurn } from './base/own-turn.ts'

/** Node's own module that the parts after it need; `import` of one finds no loader in code that is kept. */
const tls = async () => process.getBuiltinModule?.('node:tls')

const parts = [
  tls,
  () => import('./providers/undici/parts.ts'),
  () => import('./providers/transport.ts'),
  () => import('./terminals/host/sockets.ts'),
  () => import('../../shared/control/router.ts'),
  () => import('./control/server.ts'),
  () => import('./web/hop.ts'),
]

/**
 * Loads the parts an engine needs for its first caller or its first call, and not to listen. It runs right after
 * listening, for an update may replace the program's files under it; one part after the other, so that requests that
 * come are not held up by all of it.
 */
export async function loadLate(): Promise<void> {
  for (const load of parts) {
    await ownTurn()
    await load()
  }
}
