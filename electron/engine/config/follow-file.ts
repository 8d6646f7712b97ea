import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { ConfigFiles } from './types.ts'

/** Editors write in several steps: looked at once it has been quiet for this long. */
const QUIET_MS = 120
/** Watching says nothing on network drives and in some containers: the file's stamp is looked at all the same. */
const POLL_MS = 3000

export interface FollowedFile extends Disposable {
  watch(): void
  /** looks at its stamp from time to time */
  poll(): void
}

/** Follows one file of a folder that may not be there yet. */
export function followFile(deps: {
  home: string
  name: string
  files: Pick<ConfigFiles, 'watch'>
  clock: Clock
  log: Log
  /** Returns true if the file is another one than was read. */
  differs(): Promise<boolean>
  onChange(): void
}): FollowedFile {
  const { home, name, files, clock, log } = deps
  let quiet: Disposable | null = null
  let watching: Disposable | null = null
  let next: Disposable | null = null
  let over = false

  function soon(): void {
    quiet?.dispose()
    quiet = clock.after(QUIET_MS, () => {
      quiet = null
      deps.onChange()
    })
  }
  function unwatched(error: unknown, text: string): void {
    log.debug({ error: messageOf(error) }, `${text}; its file is looked at from time to time.`)
    watching?.dispose()
    watching = null
  }
  function watch(): void {
    if (watching || over) return
    try {
      watching = files.watch(
        home,
        (changed) => {
          if (changed === null || changed === name) soon()
        },
        (error) => unwatched(error, 'Watching the config folder ended'),
      )
    } catch (error) {
      unwatched(error, 'The config folder can not be watched yet')
    }
  }
  async function look(): Promise<void> {
    watch()
    try {
      // An edit in two steps may be at its first: it is waited for as when a watcher reports it.
      if (!quiet && (await deps.differs())) soon()
    } catch (error) {
      log.debug({ error: messageOf(error) }, 'The config file can not be looked at.')
    }
  }
  function poll(): void {
    next = clock.after(POLL_MS, () => {
      void look().finally(() => {
        if (!over) poll()
      })
    })
  }
  return {
    watch,
    poll,
    dispose() {
      over = true
      for (const one of [next, quiet, watching]) one?.dispose()
      watching = null
    },
  }
}
