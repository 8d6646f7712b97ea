/** Holds on to an engine: follows the one it has, and when that one goes, finds or starts the next. */
import { pause, type Clock } from '../../engine/base/clock.ts'
import type { EngineUpdate } from '../../../shared/state.ts'
import type { EngineLink } from './engine-link.ts'

/** A dead engine's place is taken quickly, but a set-up that can't work is not tried in a tight circle. */
export const tryAgainMs = 2_000

export interface KeepLinkedOptions {
  clock: Clock
  first: EngineLink
  /** attaches to the running engine or starts one */
  connect(): Promise<EngineLink>
  onLink(link: EngineLink): void
  onUpdate(update: EngineUpdate, link: EngineLink): void
  /** the engine went away by itself; a next one is looked for */
  onLost(link: EngineLink): void
  onTrouble(error: unknown, doing: 'follow' | 'connect' | 'let go'): void
}

/** Disposing lets go of the engine: its own one ends. */
export function keepLinked(options: KeepLinkedOptions): { dispose(): Promise<void> } {
  const { clock, onTrouble } = options
  const stop = new AbortController()
  const { signal } = stop

  const follow = async (link: EngineLink) => {
    options.onLink(link)
    try {
      for await (const update of link.follow(signal)) {
        if (signal.aborted) break
        options.onUpdate(update, link)
      }
    } catch (error) {
      if (!signal.aborted) onTrouble(error, 'follow')
    }
    if (!signal.aborted) options.onLost(link)
    await link.dispose().catch((error: unknown) => onTrouble(error, 'let go'))
  }
  const next = async (): Promise<EngineLink | null> => {
    while (await pause(clock, tryAgainMs, signal)) {
      try {
        return await options.connect()
      } catch (error) {
        onTrouble(error, 'connect')
      }
    }
    return null
  }
  const run = async () => {
    for (let link: EngineLink | null = options.first; link; link = signal.aborted ? null : await next())
      await follow(link)
  }
  const done = run()
  return {
    async dispose() {
      stop.abort()
      await done
    },
  }
}
