import { describe, expect, it } from 'vitest'
import type { AskedView } from '../../../../shared/state.ts'
import type { Terminal } from '../../sessions/terminal.ts'
import type { TerminalReading, TypingTarget } from '../../terminals/types.ts'
import { answerDialog } from './answer-dialog.ts'

const asked: AskedView = {
  question: 'Do you want to proceed?',
  about: 'rm -rf build',
  choices: [
    { label: 'Yes', key: '1' },
    { label: 'No', key: '2' },
    { label: 'Something else', key: null },
  ],
}
const dialog = (shown: AskedView): TerminalReading => ({
  kind: 'hold',
  reason: { code: 'dialog-open', what: 'dialog' },
  asked: shown,
})
const terminal = (home: Terminal['home']): Terminal => ({ terminalId: 't', home }) as Terminal // of it only its home counts

/** What was written after a click on `choice`, as the person saw it in `asked`. */
async function clicked(choice: string, reading: TerminalReading, home: Terminal['home'] = 'hosted'): Promise<string[]> {
  const written: string[] = []
  const target: Pick<TypingTarget, 'read'> = { read: () => Promise.resolve(reading) }
  await answerDialog(
    { terminalId: 't', question: asked.question, about: asked.about, choice },
    {
      known: () => terminal(home),
      findTarget: () => target as TypingTarget, // nothing but reading is asked of it
      write: (_, data) => written.push(data),
    },
  )
  return written
}

describe('a click on a choice of an open dialog', () => {
  it('presses its key, once', async () => {
    expect(await clicked('No', dialog(asked))).toEqual(['2'])
  })

  it.each<[string, TerminalReading]>([
    ['the dialog is gone', { kind: 'ready', bracketedPaste: true }],
    ['it asks about something else', dialog({ ...asked, about: 'rm -rf /' })],
    ['it asks something else', dialog({ ...asked, question: 'Trust this folder?' })],
    ['the choice is another', dialog({ ...asked, choices: [{ label: 'Yes, always', key: '1' }] })],
  ])('presses nothing where %s', async (_, reading) => {
    await expect(clicked('Yes', reading)).rejects.toMatchObject({ code: 'dialog-changed' })
  })

  it('presses nothing where the choice has no key, or the terminal is not Onward’s', async () => {
    await expect(clicked('Something else', dialog(asked))).rejects.toMatchObject({ code: 'no-key' })
    await expect(clicked('Yes', dialog(asked), 'wrapped')).rejects.toMatchObject({ code: 'not-ours' })
  })
})
