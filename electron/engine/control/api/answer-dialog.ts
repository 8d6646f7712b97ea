import type { AnswerDialogInput } from '../../../../shared/control/contract.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Terminal } from '../../sessions/terminal.ts'
import type { FindTarget } from '../../terminals/types.ts'

export interface AnswerDialogDeps {
  /** @throws OnwardError `terminal-unknown` */
  known(terminalId: string): Terminal
  findTarget: FindTarget
  write(terminalId: string, data: string): void
}

/**
 * A person's click on a choice, exactly as the agent's dialog shows it. The dialog is read once more first: what the
 * person saw may have gone, and the key would approve something else.
 */
export async function answerDialog(
  { terminalId, question, about, choice }: AnswerDialogInput,
  { known, findTarget, write }: AnswerDialogDeps,
): Promise<void> {
  const terminal = known(terminalId)
  if (terminal.home !== 'hosted')
    throw new OnwardError('not-ours', 'Answer in the terminal itself: Onward does not host it.', { status: 409 })
  const reading = await findTarget(terminalId)?.read()
  const asked = reading?.kind === 'hold' && reading.reason.code === 'dialog-open' ? reading.asked : undefined
  const found = asked?.choices.find(({ label }) => label === choice)
  if (!asked || !found || asked.question !== question || asked.about !== about)
    throw new OnwardError('dialog-changed', 'The agent does not ask that any more. Look at its terminal.', {
      status: 409,
    })
  if (found.key === null)
    throw new OnwardError('no-key', 'This choice has no key of its own. Pick it in the terminal.', { status: 409 })
  write(terminalId, found.key)
}
