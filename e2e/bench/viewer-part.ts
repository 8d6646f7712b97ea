/** Somebody who follows an engine, as a dashboard or a tray does; bundled for the bench. */
import { attachToEngine } from '../../electron/attached-engine.ts'
import { findRunningEngine } from '../../electron/engine/control/attach.ts'
import { readControlToken } from '../../electron/engine/control/token.ts'

/** @returns how many updates came since the last time it was asked, and how to stop */
export async function view(home: string): Promise<{ updates(): number; stop(): void }> {
  const [info, token] = [await findRunningEngine(home), await readControlToken(home)]
  if (info === null || token === null) throw new Error(`no engine runs for ${home}`)
  const engine = attachToEngine(info, token)
  const over = new AbortController()
  let count = 0
  void (async () => {
    for await (const _ of engine.follow(over.signal)) count++
  })().catch(() => undefined)
  return {
    updates() {
      const seen = count
      count = 0
      return seen
    },
    stop() {
      over.abort()
      void engine.dispose()
    },
  }
}
