/** The person's input in the form of a goal, and the request it makes to the engine. Pure. */
import type { Input } from '../../../shared/operations/index.ts'
import type { StopMessageView } from '../../../shared/state.ts'

export interface GoalDraft {
  text: string
  /** null: as the review has it, until a person writes a number */ rounds: string | null
  review: boolean
  /** the first round does not wait for the end of a turn */
  now: boolean
}

/** A goal that is over is armed again; one that runs keeps its rounds and is changed. */
export const runs = (goal: StopMessageView | null): goal is StopMessageView =>
  goal !== null && goal.status.kind !== 'done' && goal.status.kind !== 'failed'

export const draftOf = (goal: StopMessageView | null): GoalDraft => ({
  text: goal?.text ?? '',
  rounds: goal ? (goal.max === null ? '' : String(goal.max)) : null,
  review: goal?.review ?? false,
  now: false,
})

/** A reviewed goal goes on until it is reached; one that is only repeated ends by itself. */
export const roundsShown = ({ rounds, review }: GoalDraft): string => rounds ?? (review ? '' : '10')

export type Order =
  | { kind: 'arm'; input: Input<'setStopMessage'> }
  | { kind: 'edit'; input: Input<'editStopMessage'> }
  | { kind: 'nothing' }
  | { kind: 'bad-rounds' }

export function orderOf(session: string, goal: StopMessageView | null, draft: GoalDraft): Order {
  const rounds = parseRounds(roundsShown(draft))
  if (rounds === 'bad') return { kind: 'bad-rounds' }
  const text = draft.text.trim()
  const { review, now } = draft
  if (!runs(goal))
    return { kind: 'arm', input: { session, rounds, review, ...(text ? { text } : {}), ...(now ? { now } : {}) } }
  // Only changed parts: the rest may have been changed elsewhere meanwhile.
  const change = {
    ...(text && text !== goal.text ? { text } : {}),
    ...(rounds === goal.max ? {} : { rounds }),
    ...(review === goal.review ? {} : { review }),
  }
  return Object.keys(change).length === 0 ? { kind: 'nothing' } : { kind: 'edit', input: { session, ...change } }
}

/** Reads the number of rounds as a person writes it. Empty and ∞ mean no limit, as null. */
export function parseRounds(text: string): number | null | 'bad' {
  const written = text.trim()
  if (written === '' || written === '∞') return null
  if (!/^\d{1,6}$/.test(written)) return 'bad'
  const rounds = Number(written)
  return rounds >= 1 ? rounds : 'bad'
}
