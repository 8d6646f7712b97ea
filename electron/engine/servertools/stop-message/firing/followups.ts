import { messageOf, OnwardError } from '../../../base/errors.ts'
import type { OutboxTransaction } from '../../../terminals/outbox/listener.ts'
import type { EndedTurn } from '../ended-turn.ts'
import type { ScopeEntry } from '../persistence/scope-store.ts'
import { armingOf, type Arming } from '../reducer/state.ts'
import type { RoundBegun } from '../reducer/apply.ts'
import type { Followup, Unsent } from '../stop-memory.ts'
import type { FiringDeps, GoalController } from '../types.ts'

/** when the disk refused: so long until it is tried again */
export const WRITE_AGAIN_MS = 5_000

export interface FollowupsDeps extends Pick<FiringDeps, 'deps' | 'commit'> {
  decideAgain: GoalController['decideAgain']
  failed(scopeEntry: ScopeEntry, error: unknown): void
}

/** The entry in the outbox. */
export function createFollowups({ deps, commit, decideAgain, failed }: FollowupsDeps) {
  const retryMs = deps.writeAgainMs ?? WRITE_AGAIN_MS

  /** The stop is not forgotten while the disk is full; a text that cannot be typed at all is given up. */
  const notQueued = async (
    scopeEntry: ScopeEntry,
    transaction: OutboxTransaction,
    entryId: string,
    error: unknown,
  ): Promise<boolean> => {
    const code = OnwardError.isInstance(error) ? error.code : 'queue-failed'
    if (code === 'empty-text') {
      return commit(scopeEntry, transaction, {
        type: 'give-up',
        at: deps.clock.now(),
        reason: { code: 'typing-failed', message: messageOf(error) },
      })
    }
    deps.record(
      { sessionId: transaction.conversation(), scope: scopeEntry.scope },
      { type: 'engine-problem', code, message: messageOf(error) },
    )
    await commit(scopeEntry, transaction, { type: 'ended', entryId })
    scopeEntry.memory.retry?.dispose()
    scopeEntry.memory.retry = deps.clock.after(retryMs, () => {
      scopeEntry.memory.retry = null
      scopeEntry
        .exclusive((again) => decideAgain(scopeEntry, again))
        .catch((failure: unknown) => failed(scopeEntry, failure))
    })
    return false
  }

  return {
    /** @returns whether the state was written */
    async send(
      scopeEntry: ScopeEntry,
      transaction: OutboxTransaction,
      turn: EndedTurn,
      { text, round }: Followup,
      opens: RoundBegun | null,
    ): Promise<boolean> {
      const { memory } = scopeEntry
      const arming = armingOf(scopeEntry.kept.value.state)
      if (!arming) return false
      if (opens === null)
        memory.unsent = { text, round, requestId: turn.requestId, armId: arming.id, goal: arming.text }
      const entryId = deps.random.uuid()
      try {
        // Written before the entry, with the review and the stop it answers: a start that finds no such entry takes the
        // stop up again.
        await commit(scopeEntry, transaction, { type: 'fire', entryId, text, round: opens })
        await transaction.add({
          id: entryId,
          sessionId: turn.sessionId,
          text,
          source: 'stopMessage',
          // the goal's own words are a person's, all others are a reviewer's
          writtenBy: text === arming.text ? 'person' : 'model',
          round,
          group: arming.id,
        })
        memory.unsent = null
        memory.excerpt = null
        return true
      } catch (error) {
        return await notQueued(scopeEntry, transaction, entryId, error)
      }
    },
    unsentFor({ memory: { unsent } }: ScopeEntry, turn: EndedTurn, arming: Arming): Unsent | null {
      return unsent?.requestId === turn.requestId &&
        unsent.armId === arming.id &&
        unsent.goal === arming.text &&
        unsent.round === arming.used + 1
        ? unsent
        : null
    },
  }
}
