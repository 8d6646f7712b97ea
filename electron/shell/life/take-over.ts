/** An older engine goes on by itself; by a click the app's own takes its place. Knows nothing of Electron. */
import { pause, type Clock } from '../../engine/base/clock.ts'
import { OnwardError } from '../../engine/base/errors.ts'
import type { EngineLink } from './engine-link.ts'

/** How long the engine may take to end after it agreed. */
export const endsWithinMs = 5_000
const pollMs = 50

export interface TakeOverOptions {
  clock: Clock
  link(): EngineLink
  confirm(older: { version: string; service: boolean }): Promise<boolean>
  /** a sentence for a link that stays as it was */
  stays(): string
  /** it finishes answers, by then at the latest (epoch milliseconds); null: it does not */
  endsBy(): number | null
}

/** true: the engine has gone; the keeper of its link (keep-linked.ts) starts the next. @throws OnwardError */
export async function takeOverOlder({ clock, link, confirm, stays, endsBy }: TakeOverOptions): Promise<boolean> {
  const before = link()
  const { older } = before
  if (!older || !(await confirm(older))) return false
  if (link() !== before) return true
  if (!(await older.handOver())) throw new OnwardError('engine-stays', stays())
  for (let until = clock.now() + endsWithinMs; clock.now() < until;) {
    if (link() !== before) return true
    until = Math.max(until, (endsBy() ?? 0) + endsWithinMs)
    await pause(clock, pollMs)
  }
  throw new OnwardError('engine-stays', stays())
}
