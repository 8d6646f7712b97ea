/**
 * A person's orders about goals, their checks and budgets. Refusals are handed back: they are said where the order was
 * given.
 */
import type {
  ApproveCheckInput,
  BudgetsInput,
  CheckInput,
  DeclareCheckInput,
  StopMessageEditInput,
} from '../../shared/control/contract.ts'
import type { CheckView, FolderChecks, RoundView } from '../../shared/review.ts'
import type { EngineStatus, SessionView } from '../../shared/state.ts'
import type { Words } from '../i18n/index.ts'
import type { Toasts } from '../parts/toasts.ts'
import { joinCommand } from '../../shared/commands/join-command.ts'
import type { Outcome } from './outcome.ts'
import type { ControlClient } from './socket.ts'

type Budgets = NonNullable<EngineStatus['budgets']>

export interface GoalActions {
  /** rounds used stay */
  editGoal(input: StopMessageEditInput): Promise<Outcome<SessionView>>
  /** from where nothing but a toast can say what became of it; can be undone */
  setReview(session: string, review: boolean): Promise<void>
  rounds(session: string): Promise<Outcome<readonly RoundView[]>>
  loadChecks(session: string): Promise<Outcome<FolderChecks>>
  approveCheck(input: ApproveCheckInput): Promise<Outcome<FolderChecks>>
  /** at once; a toast offers to take it back, unless nothing declares it any more */
  forgetCheck(session: string, check: CheckView): Promise<Outcome<FolderChecks>>
  declareCheck(input: DeclareCheckInput): Promise<Outcome<FolderChecks>>
  runCheck(input: CheckInput): Promise<Outcome<FolderChecks>>
  /** @param said what it is now, for the toast that offers to take it back */
  setBudget<K extends keyof BudgetsInput & keyof Budgets>(
    name: K,
    value: number | null,
    before: number | null,
    said: string,
  ): Promise<Outcome<Budgets>>
}

export interface GoalActionDeps {
  ask<T>(question: (client: ControlClient) => Promise<T>): Promise<Outcome<T>>
  /** as `ask`; a failure is shown in a toast */
  act<T>(question: (client: ControlClient) => Promise<T>): Promise<Outcome<T>>
  toasts: Pick<Toasts, 'undoable' | 'info'>
  words(): Words
  /** an answer's checks of a session's folder, before the engine sends them to all viewers */
  onChecks(session: string, checks: FolderChecks): void
}

export function goalActions({ ask, act, toasts, words, onChecks }: GoalActionDeps): GoalActions {
  const showing = async (session: string, asked: Promise<Outcome<FolderChecks>>): Promise<Outcome<FolderChecks>> => {
    const outcome = await asked
    if (outcome.ok) onChecks(session, outcome.value)
    return outcome
  }
  /** With its words as they were, so that what a person took back may run again and nothing else. */
  const restored = (session: string, { name, argv, from, timeoutSeconds }: CheckView) =>
    showing(
      session,
      act((c) =>
        from === 'file'
          ? c.approveCheck.mutate({ session, name, argv: [...argv] })
          : c.declareCheck.mutate({ session, name, command: joinCommand(argv), timeoutSeconds }),
      ),
    )
  return {
    editGoal: (input) => ask((c) => c.editStopMessage.mutate(input)),
    async setReview(session, review) {
      const { w } = words()
      const outcome = await act((c) => c.editStopMessage.mutate({ session, review }))
      if (outcome.ok)
        toasts.undoable(review ? w.review.isOn : w.review.isOff, async () => {
          await act((c) => c.editStopMessage.mutate({ session, review: !review }))
        })
    },
    rounds: (session) => ask((c) => c.rounds.query(session)),
    loadChecks: (session) =>
      showing(
        session,
        ask((c) => c.checks.query(session)),
      ),
    approveCheck: (input) =>
      showing(
        input.session,
        ask((c) => c.approveCheck.mutate(input)),
      ),
    async forgetCheck(session, check) {
      const outcome = await showing(
        session,
        ask((c) => c.forgetCheck.mutate({ session, name: check.name })),
      )
      const said = words().w.checks.forgotten(check.name)
      if (outcome.ok && check.approval === 'approved')
        toasts.undoable(said, async () => {
          await restored(session, check)
        })
      else if (outcome.ok) toasts.info(said)
      return outcome
    },
    declareCheck: (input) =>
      showing(
        input.session,
        ask((c) => c.declareCheck.mutate(input)),
      ),
    runCheck: (input) =>
      showing(
        input.session,
        ask((c) => c.runCheck.mutate(input)),
      ),
    async setBudget(name, value, before, said) {
      const outcome = await ask((c) => c.setBudgets.mutate({ [name]: value }))
      if (outcome.ok)
        toasts.undoable(said, async () => {
          await act((c) => c.setBudgets.mutate({ [name]: before }))
        })
      return outcome
    },
  }
}
