import type { BackgroundFound } from '../../../sessions/activity.ts'
import type { OutboxTransaction } from '../../../terminals/outbox/listener.ts'
import type { EndedTurn } from '../ended-turn.ts'
import type { ScopeEntry } from '../persistence/scope-store.ts'
import type { TurnExcerpt } from '../turn-excerpt.ts'
import { stopWaiting } from '../stop-memory.ts'
import type { FiringDeps, GoalController } from '../types.ts'

/** how often a screen is looked at while its agent's work is waited for */
const LOOK_MS = 2_000
/** looks in a row that show no work before it counts as over: an agent draws its footer anew now and then */
const LOOKS = 2

export interface BackgroundWaitDeps extends Pick<FiringDeps, 'deps' | 'commit'> {
  decideAgain: GoalController['decideAgain']
  /** what a stop that was looked at first goes on with */
  act(
    scopeEntry: ScopeEntry,
    transaction: OutboxTransaction,
    turn: EndedTurn,
    excerpt: TurnExcerpt | null,
  ): Promise<unknown>
  failed(scopeEntry: ScopeEntry, error: unknown): void
}

/** An agent's own work in the background: what the screen shows of it, and the stop that waits for its end. */
export function createBackgroundWait({ deps, commit, decideAgain, act, failed }: BackgroundWaitDeps) {
  const { clock } = deps

  const wait = (scopeEntry: ScopeEntry, until: number, looks = 0): void => {
    stopWaiting(scopeEntry.memory)
    const timer = clock.after(Math.max(0, Math.min(LOOK_MS, until - clock.now())), () => {
      waited(scopeEntry, until).catch((error: unknown) => failed(scopeEntry, error))
    })
    scopeEntry.memory.wait = { timer, looks }
  }

  const waited = async (scopeEntry: ScopeEntry, until: number): Promise<void> => {
    const { memory } = scopeEntry
    const was = memory.wait
    const shown = await deps.shownWork?.look(scopeEntry.scope)
    await scopeEntry.exclusive(async (transaction) => {
      const { state, lastStop, movedTo } = scopeEntry.kept.value
      // Another wait, or none any more: a turn began, or a person stepped in.
      if (!was || memory.wait !== was) return
      if (state.kind !== 'armed' || !lastStop || movedTo !== null) return stopWaiting(memory)
      const looks = shown === null ? was.looks + 1 : 0
      if (looks < LOOKS && clock.now() < until) return wait(scopeEntry, until, looks)
      if (looks >= LOOKS) await commit(scopeEntry, transaction, { type: 'background-is', is: 'over' }, 'later')
      await decideAgain(scopeEntry, transaction)
      deps.onChange(scopeEntry.scope)
    })
  }

  const look = async (scopeEntry: ScopeEntry, turn: EndedTurn, excerpt: TurnExcerpt | null): Promise<void> => {
    const shown = await deps.shownWork?.look(scopeEntry.scope)
    await scopeEntry.exclusive(async (transaction) => {
      const { lastStop, movedTo } = scopeEntry.kept.value
      if (!transaction || lastStop?.requestId !== turn.requestId || movedTo !== null) return
      const running = typeof shown === 'string' ? [{ id: 'screen', kind: 'other' as const, what: shown }] : []
      await sawWork(scopeEntry, transaction, turn, { running, ended: [] })
      await act(scopeEntry, transaction, turn, excerpt)
      await scopeEntry.kept.writeOwed()
    })
  }

  const sawWork = (
    scopeEntry: ScopeEntry,
    transaction: OutboxTransaction | null,
    { sessionId }: Pick<EndedTurn, 'sessionId'>,
    found: BackgroundFound,
  ): Promise<boolean> =>
    commit(scopeEntry, transaction, { type: 'background', at: clock.now(), sessionId, found }, 'later')

  return {
    wait,
    sawWork,
    /**
     * The screen may show work that requests do not: work from before a compaction, or from before there was a goal.
     * @returns whether it is looked at; the stop is acted upon after that
     */
    looksFirst(scopeEntry: ScopeEntry, turn: EndedTurn, excerpt: TurnExcerpt | null): boolean {
      const { memory } = scopeEntry
      const { state, lastStop, background } = scopeEntry.kept.value
      const looks =
        state.kind === 'armed' &&
        lastStop?.requestId === turn.requestId &&
        memory.looked !== turn.requestId &&
        background.every(({ sessionId, is }) => sessionId !== turn.sessionId || is === 'over') &&
        deps.shownWork?.known(scopeEntry.scope) === true
      if (!looks) return false
      memory.looked = turn.requestId
      memory.looking = look(scopeEntry, turn, excerpt)
        .catch((error: unknown) => failed(scopeEntry, error))
        .finally(() => (memory.looking = null))
      return true
    },
    /**
     * A sub-agent finished. After the last one Claude Code continues by itself, with a turn that replaces this one;
     * Codex 0.169.0 does not, and its stop stays unanswered until it is decided again.
     */
    async helperEnded(
      scopeEntry: ScopeEntry,
      transaction: OutboxTransaction | null,
      { sessionId, background }: EndedTurn,
    ): Promise<void> {
      const ended = background?.ended ?? []
      if (ended.length === 0) return
      const changed = await sawWork(scopeEntry, transaction, { sessionId }, { running: [], ended })
      if (changed && scopeEntry.memory.wait) await decideAgain(scopeEntry, transaction)
      await scopeEntry.kept.writeOwed()
    },
    async passBackground(scopeEntry: ScopeEntry, transaction: OutboxTransaction | null): Promise<boolean> {
      if (!scopeEntry.memory.wait) return false
      await commit(scopeEntry, transaction, { type: 'background-is', is: 'passed' })
      await decideAgain(scopeEntry, transaction)
      return true
    },
  }
}
