import type { Clock } from '../../../base/clock.ts'

/**
 * Finds the fate of a text that has left the composer. A person may have sent it: then a turn carries it soon, unless
 * the agent was at work and keeps it in its own queue. Or a person removed it.
 */
export interface GoneText {
  /** it stands there, as far as this engine knows */
  stands(id: string): void
  /** the agent is at work: a message that is sent to it now makes no request yet */
  agentWorks(id: string): void
  /** It no longer stands there. Null: too early to decide. */
  judge(id: string): 'removed' | 'perhaps-sent' | null
  /** milliseconds until a judgement is possible; null when none waits for one */
  judgedIn(): number | null
  /** forgets all but these */
  keep(ids: ReadonlySet<string>): void
}

/** `turnMs`: a message that was sent makes its request, or shows the agent at work, within this time */
export function createGoneText(clock: Clock, turnMs: () => number): GoneText {
  const known = new Map<string, { goneSince: number | null; mayBeSent: boolean }>()
  const leftOf = (goneSince: number): number => Math.max(0, goneSince + turnMs() - clock.monotonic())
  return {
    stands: (id) => void known.set(id, { goneSince: null, mayBeSent: false }),
    agentWorks(id) {
      const text = known.get(id)
      if (text) text.mayBeSent = true
    },
    judge(id) {
      const text = known.get(id)
      // an earlier engine left it there, and it was not watched meanwhile
      if (!text || text.mayBeSent) return 'perhaps-sent'
      text.goneSince ??= clock.monotonic()
      return leftOf(text.goneSince) === 0 ? 'removed' : null
    },
    judgedIn() {
      const waits = Array.from(known.values(), ({ goneSince }) =>
        goneSince === null ? [] : [leftOf(goneSince)],
      ).flat()
      return waits.length === 0 ? null : Math.min(...waits)
    },
    keep(ids) {
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id)
    },
  }
}
