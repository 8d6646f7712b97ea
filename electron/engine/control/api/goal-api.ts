import type { BudgetsInput, ControlApi } from '../../../../shared/control/contract.ts'
import type { RecordEvent } from '../../../../shared/events.ts'
import type { FolderChecks, RoundView } from '../../../../shared/review.ts'
import type { EngineStatus, SessionView } from '../../../../shared/state.ts'
import type { Scope } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import type { ConfigHandle } from '../../config/types.ts'
import { sessionName, type SessionState } from '../../sessions/session-state.ts'
import type { Checks } from '../../workspace/checks/types.ts'

/** Goal mode as the control API uses it. */
export interface GoalOrders {
  edit(scope: Scope, change: { text?: string; max?: number | null; review?: boolean }): Promise<void>
  rounds(scope: Scope): readonly RoundView[]
  /** where the session's agent works, as its launcher or its process says; null: not known */
  folderOf(sessionId: string): string | null
  checks: Checks
  /** a person changed what may run there: a goal that waits for it is looked at again */
  checksChanged(folder: string): void
  /** tells the timeline */
  record: RecordEvent
}

export interface GoalApiDeps extends GoalOrders {
  find(session: string): Promise<SessionState>
  view(sessionId: string): SessionView
  scopeOf(session: SessionState): Scope
  /** something is set in it now */
  isArmed(session: SessionState): boolean
  /** of what was set before, newest first */
  pastRounds(sessionId: string): Promise<readonly RoundView[]>
  config: ConfigHandle
}

type Calls =
  | 'editStopMessage'
  | 'rounds'
  | 'checks'
  | 'approveCheck'
  | 'forgetCheck'
  | 'declareCheck'
  | 'runCheck'
  | 'setBudgets'

export function goalApi(deps: GoalApiDeps): Pick<ControlApi, Calls> {
  const { find, checks } = deps
  const inFolder = async (
    wanted: string,
    work: (folder: string, session: SessionState) => Promise<void>,
  ): Promise<FolderChecks> => {
    const session = await find(wanted)
    const folder = deps.folderOf(session.id)
    if (folder === null)
      throw new OnwardError(
        'no-folder',
        `Nobody knows where ${sessionName(session)} works. Start its agent with \`onward\`, then checks can run there.`,
        { status: 409 },
      )
    await work(folder, session)
    return checks.of(folder)
  }
  return {
    async editStopMessage({ session: wanted, text, rounds, review }) {
      const session = await find(wanted)
      await deps.edit(deps.scopeOf(session), {
        ...(text === undefined ? {} : { text }),
        ...(rounds === undefined ? {} : { max: rounds }),
        ...(review === undefined ? {} : { review }),
      })
      return deps.view(session.id)
    },
    async rounds(wanted) {
      const session = await find(wanted)
      const kept = deps.isArmed(session) ? deps.rounds(deps.scopeOf(session)) : []
      return kept.length > 0 ? kept : deps.pastRounds(session.id)
    },
    async checks(wanted) {
      const folder = deps.folderOf((await find(wanted)).id)
      return folder === null ? { folder: null, checks: [], problem: null } : checks.of(folder)
    },
    approveCheck: ({ session, name, argv }) =>
      inFolder(session, async (folder, { id }) => {
        await checks.approve(folder, name, argv)
        deps.record({ sessionId: id }, { type: 'check-approved', name, argv, folder })
        deps.checksChanged(folder)
      }),
    forgetCheck: ({ session, name }) =>
      inFolder(session, async (folder, { id }) => {
        await checks.forget(folder, name)
        deps.record({ sessionId: id }, { type: 'check-forgotten', name, folder })
        deps.checksChanged(folder)
      }),
    declareCheck: ({ session, ...input }) =>
      inFolder(session, async (folder, { id }) => {
        const { name, argv } = await checks.declare(folder, input)
        deps.record({ sessionId: id }, { type: 'check-approved', name, argv, folder })
        deps.checksChanged(folder)
      }),
    runCheck: ({ session, name }) =>
      inFolder(session, async (folder, { id }) => {
        const { run } = await checks.run(folder, name, new AbortController().signal)
        deps.record({ sessionId: id }, { type: 'check-ran', run })
        deps.checksChanged(folder)
      }),
    async setBudgets(input) {
      const names: readonly (keyof BudgetsInput)[] = ['rounds', 'hours', 'noProgressRounds', 'tokens', 'costUsd']
      const edits = names.flatMap((name) =>
        input[name] === undefined ? [] : [{ path: ['stopMessage', 'budgets', name], value: input[name] }],
      )
      if (edits.length > 0) await deps.config.edit(edits)
      return budgetsOf(deps.config)
    },
  }
}

const budgetsOf = (config: ConfigHandle): NonNullable<EngineStatus['budgets']> => config.current().stopMessage.budgets
