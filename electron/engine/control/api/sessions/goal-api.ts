import type { ControlApi, Input } from '../../../../../shared/operations/index.ts'
import type { RecordEvent } from '../../../../../shared/events.ts'
import type { FolderChecks, RoundView } from '../../../../../shared/review.ts'
import type { EngineStatus, SessionView } from '../../../../../shared/state.ts'
import type { Scope } from '../../../../../shared/words.ts'
import { OnwardError } from '../../../base/errors.ts'
import type { ConfigHandle } from '../../../config/types.ts'
import type { Checks } from '../../../workspace/checks/types.ts'
import type { Target } from './target.ts'

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
  targetOf(wanted: string): Promise<Target>
  /** something is set in it now */
  isArmed(session: SessionView): boolean
  /** of what was set before, newest first */
  pastRounds(sessionId: string): Promise<readonly RoundView[]>
  config: ConfigHandle
}

export function goalApi(deps: GoalApiDeps) {
  const { targetOf, checks } = deps
  const inFolder = async (
    wanted: string,
    work: (folder: string, target: Target) => Promise<void>,
  ): Promise<FolderChecks> => {
    const target = await targetOf(wanted)
    const folder = target.folder()
    if (folder === null)
      throw new OnwardError(
        'no-folder',
        `Nobody knows where ${target.name} works. Start its agent with \`onward\`, then checks can run there.`,
        { status: 409 },
      )
    await work(folder, target)
    return checks.of(folder)
  }
  return {
    async editStopMessage({ session: wanted, text, rounds, review }) {
      const target = await targetOf(wanted)
      await deps.edit(target.scope(), {
        ...(text === undefined ? {} : { text }),
        ...(rounds === undefined ? {} : { max: rounds }),
        ...(review === undefined ? {} : { review }),
      })
      return target.view()
    },
    async rounds(wanted) {
      const target = await targetOf(wanted)
      const kept = deps.isArmed(target.view()) ? deps.rounds(target.scope()) : []
      return kept.length > 0 || target.sessionId === null ? kept : deps.pastRounds(target.sessionId)
    },
    async checks(wanted) {
      const folder = (await targetOf(wanted)).folder()
      return folder === null ? { folder: null, checks: [], problem: null } : checks.of(folder)
    },
    approveCheck: ({ session, name, argv }) =>
      inFolder(session, async (folder, { sessionId }) => {
        await checks.approve(folder, name, argv)
        deps.record({ sessionId }, { type: 'check-approved', name, argv, folder })
        deps.checksChanged(folder)
      }),
    forgetCheck: ({ session, name }) =>
      inFolder(session, async (folder, { sessionId }) => {
        await checks.forget(folder, name)
        deps.record({ sessionId }, { type: 'check-forgotten', name, folder })
        deps.checksChanged(folder)
      }),
    declareCheck: ({ session, ...input }) =>
      inFolder(session, async (folder, { sessionId }) => {
        const { name, argv } = await checks.declare(folder, input)
        deps.record({ sessionId }, { type: 'check-approved', name, argv, folder })
        deps.checksChanged(folder)
      }),
    runCheck: ({ session, name }) =>
      inFolder(session, async (folder, { sessionId }) => {
        const { run } = await checks.run(folder, name, new AbortController().signal)
        deps.record({ sessionId }, { type: 'check-ran', run })
        deps.checksChanged(folder)
      }),
    async setBudgets(input) {
      const names: readonly (keyof Input<'setBudgets'>)[] = ['rounds', 'hours', 'noProgressRounds', 'tokens', 'costUsd']
      const edits = names.flatMap((name) =>
        input[name] === undefined ? [] : [{ path: ['stopMessage', 'budgets', name], value: input[name] }],
      )
      if (edits.length > 0) await deps.config.edit(edits)
      return budgetsOf(deps.config)
    },
  } satisfies Partial<ControlApi>
}

const budgetsOf = (config: ConfigHandle): NonNullable<EngineStatus['budgets']> => config.current().stopMessage.budgets
