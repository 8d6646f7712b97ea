import type { Disposable } from '../../base/disposable.ts'
import type { TurnExcerpt } from './turn-excerpt.ts'

export interface Followup {
  text: string
  round: number
}

/**
 * A reviewer's text that could not be queued: the same stop does not ask again, or the review would be paid for twice.
 */
export interface Unsent extends Followup {
  requestId: string
  armId: string
  goal: string
}

/** A scope's last stop, kept while the engine runs. A start takes the stop up anew, without it. */
export interface StopMemory {
  excerpt: { requestId: string; excerpt: TurnExcerpt | null } | null
  unsent: Unsent | null
  /** to be decided again as soon as the obstacle is gone */
  owed: boolean
  /** not answered because a followup was on its way already */
  behind: boolean
  /** it waits for the agent's own work. `looks`: looks in a row that showed none */
  wait: { timer: Disposable; looks: number } | null
  /** the disk refused: decides it again */
  retry: Disposable | null
  /** the request whose stop had its screen looked at, or has now; stays when the stop is forgotten */
  looked: string | null
  looking: Promise<void> | null
}

export const emptyMemory = (): StopMemory => ({
  excerpt: null,
  unsent: null,
  owed: false,
  behind: false,
  wait: null,
  retry: null,
  looked: null,
  looking: null,
})

export function stopWaiting(memory: StopMemory): void {
  memory.wait?.timer.dispose()
  memory.wait = null
}

/** The agent goes on, or the scope is gone. */
export function forgetStop(memory: StopMemory): void {
  stopWaiting(memory)
  memory.retry?.dispose()
  const { looked, looking } = memory
  Object.assign(memory, emptyMemory(), { looked, looking })
}
