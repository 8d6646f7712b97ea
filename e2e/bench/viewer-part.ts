/** Somebody who follows an engine, as a dashboard or a tray does; bundled for the bench. */
import { attachToEngine } from '../../electron/hosts/attached-engine.ts'
import { findRunningEngine } from '../../electron/engine/control/attach.ts'
import { readControlToken } from '../../electron/engine/control/token.ts'

export interface Viewer {
  /** how many updates came since the last time it was asked */
  updates(): number
  /** a new link to the dashboard, good for one window */
  link(): Promise<string>
  stop(): void
}

export async function view(home: string): Promise<Viewer> {
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
    link: () => engine.dashboardLink(),
    stop() {
      over.abort()
      void engine.dispose()
    },
  }
}
