/**
 * A person's orders about goals, their checks and budgets. Refusals are handed back: they are said where the order was
 * given.
 */
import { joinCommand } from '../../shared/commands/join-command.ts'
import type { Input } from '../../shared/operations/index.ts'
import type { CheckView, FolderChecks } from '../../shared/review.ts'
import type { EngineStatus } from '../../shared/state.ts'
import type { Acting } from './action-deps.ts'
import type { Outcome } from './outcome.ts'

type Budgets = NonNullable<EngineStatus['budgets']>

export function goalActions({ ask, act, toasts, words, onChecks }: Acting) {
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
    /** rounds used stay */
    editGoal: (input: Input<'editStopMessage'>) => ask((c) => c.editStopMessage.mutate(input)),
    /** from where nothing but a toast can say what became of it */
    async setReview(session: string, review: boolean): Promise<void> {
      const { w } = words()
      const outcome = await act((c) => c.editStopMessage.mutate({ session, review }))
      if (outcome.ok)
        toasts.undoable(review ? w.review.isOn : w.review.isOff, async () => {
          await act((c) => c.editStopMessage.mutate({ session, review: !review }))
        })
    },
    rounds: (session: string) => ask((c) => c.rounds.query(session)),
    loadChecks: (session: string) =>
      showing(
        session,
        ask((c) => c.checks.query(session)),
      ),
    approveCheck: (input: Input<'approveCheck'>) =>
      showing(
        input.session,
        ask((c) => c.approveCheck.mutate(input)),
      ),
    /** at once; a toast offers to take it back, unless nothing declares it any more */
    async forgetCheck(session: string, check: CheckView): Promise<Outcome<FolderChecks>> {
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
    declareCheck: (input: Input<'declareCheck'>) =>
      showing(
        input.session,
        ask((c) => c.declareCheck.mutate(input)),
      ),
    runCheck: (input: Input<'runCheck'>) =>
      showing(
        input.session,
        ask((c) => c.runCheck.mutate(input)),
      ),
    /** @param said what it is now, for the toast that offers to take it back */
    async setBudget(
      name: keyof Input<'setBudgets'> & keyof Budgets,
      value: number | null,
      before: number | null,
      said: string,
    ) {
      const outcome = await ask((c) => c.setBudgets.mutate({ [name]: value }))
      if (outcome.ok)
        toasts.undoable(said, async () => {
          await act((c) => c.setBudgets.mutate({ [name]: before }))
        })
      return outcome
    },
  }
}
