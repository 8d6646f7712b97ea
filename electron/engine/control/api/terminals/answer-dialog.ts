import type { Input } from '../../../../../shared/operations/index.ts'
import type { RecordEvent } from '../../../../../shared/events.ts'
import type { AskedView } from '../../../../../shared/state.ts'
import type { Clock } from '../../../base/clock.ts'
import { OnwardError } from '../../../base/errors.ts'
import type { Terminal } from '../../../sessions/binding/terminal.ts'
import { saidOf } from '../../../terminals/asking.ts'
import type { FindTarget } from '../../../terminals/types.ts'

export interface AnswerDialogDeps {
  clock: Clock
  /** @throws OnwardError `terminal-unknown` */
  known(terminalId: string): Pick<Terminal, 'home' | 'scope' | 'sessionId'>
  findTarget: FindTarget
  write(terminalId: string, data: string): void
  record: RecordEvent
  /** makes the watch for questions look at once */
  checkNeeds(terminalId: string): Promise<void>
}

const POLL_MS = 100
/** the longest wait for a terminal to redraw */
const PATIENCE_MS = 3_000
const arrows = { down: ['\u001b[A', '\u001b[B'], across: ['\u001b[D', '\u001b[C'] } as const
const ENTER = '\r'

/**
 * Answers a dialog with a person's click on a choice, exactly as the agent's dialog shows it. The dialog is read once
 * more first: the one the person saw may have gone, and the key would approve something else. A choice without a key is
 * reached with arrows, one at a time, and Enter is pressed only once the screen shows it chosen.
 */
export function createAnswerDialog(deps: AnswerDialogDeps): (input: Input<'answerDialog'>) => Promise<void> {
  const { clock, known, findTarget, write } = deps
  const underWay = new Set<string>()

  const answer = async ({ terminalId, question, about, choice }: Input<'answerDialog'>): Promise<void> => {
    const { scope, sessionId } = known(terminalId)
    const read = async (): Promise<{ what: string; asked: AskedView } | null> => {
      const reading = await findTarget(terminalId)?.read()
      if (reading?.kind !== 'hold' || reading.reason.code !== 'dialog-open' || !reading.asked) return null
      const { asked } = reading
      const stands = asked.question === question && asked.about === about && indexOf(asked, choice) >= 0
      return stands ? { what: saidOf(reading.reason.what, asked), asked } : null
    }
    const readAgain = async () => {
      const there = await read()
      if (there === null) throw changed()
      return there
    }
    /** @returns how long it took, null: it did not come */
    const until = async (look: () => Promise<boolean>): Promise<number | null> => {
      const begun = clock.monotonic()
      while (clock.monotonic() - begun < PATIENCE_MS) {
        await new Promise<void>((resolve) => {
          clock.after(POLL_MS, resolve)
        })
        if (await look()) return clock.monotonic() - begun
      }
      return null
    }
    const goTo = async (there: { asked: AskedView }): Promise<void> => {
      let { asked } = there
      for (let left = asked.choices.length; ; left--) {
        const { pointer } = asked
        if (!pointer) throw noKey()
        const steps = indexOf(asked, choice) - pointer.at
        if (steps === 0) return
        if (left === 0) throw stuck()
        write(terminalId, arrows[pointer.moves][steps < 0 ? 0 : 1])
        const moved = await until(async () => {
          asked = (await readAgain()).asked
          return asked.pointer?.at !== pointer.at
        })
        if (moved === null) throw stuck()
      }
    }

    const there = await readAgain()
    const { what, asked } = there
    const key = asked.choices[indexOf(asked, choice)]?.key ?? null
    if (key === null) await goTo(there)
    write(terminalId, key ?? ENTER)
    const closedMs = await until(async () => (await read()) === null)
    deps.record({ sessionId, scope }, { type: 'dialog-answered', what, choice, key, closedMs })
  }

  return async (input) => {
    const { terminalId } = input
    if (known(terminalId).home !== 'hosted')
      throw new OnwardError('not-ours', 'Answer in the terminal itself: Onward does not host it.', { status: 409 })
    // The second of two clicks would answer the next dialog.
    if (underWay.has(terminalId)) throw changed()
    underWay.add(terminalId)
    try {
      await answer(input)
    } finally {
      underWay.delete(terminalId)
      // Also if nothing was pressed: then the person saw a dialog that is gone.
      await deps.checkNeeds(terminalId)
    }
  }
}

const indexOf = (asked: AskedView, choice: string): number => asked.choices.findIndex(({ label }) => label === choice)

const changed = (): OnwardError =>
  new OnwardError('dialog-changed', 'The agent does not ask that any more. Look at its terminal.', { status: 409 })
const noKey = (): OnwardError =>
  new OnwardError('no-key', 'This choice has no key of its own. Pick it in the terminal.', { status: 409 })
const stuck = (): OnwardError =>
  new OnwardError('choice-not-reached', 'The choice could not be reached, and Enter was not pressed. Pick it there.', {
    status: 409,
  })
