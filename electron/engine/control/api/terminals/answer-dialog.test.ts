import { describe, expect, it } from 'vitest'
import type { EventBody } from '../../../../../shared/events.ts'
import type { AskedView } from '../../../../../shared/state.ts'
import { virtualClock } from '../../../base/testing/virtual-clock.ts'
import type { Terminal } from '../../../sessions/binding/terminal.ts'
import type { TerminalReading, TypingTarget } from '../../../terminals/types.ts'
import { createAnswerDialog } from './answer-dialog.ts'

const asked: AskedView = {
  question: 'Do you want to proceed?',
  about: 'rm -rf build',
  wants: { act: 'run', what: 'rm -rf build' },
  choices: [
    { label: 'Yes', key: '1' },
    { label: 'No', key: '2' },
    { label: 'Something else', key: null },
  ],
}
const keyless: AskedView = {
  ...asked,
  choices: ['Allow once', 'Allow always', 'Reject'].map((label) => ({ label, key: null })),
  pointer: { at: 0, moves: 'across' },
}
const dialog = (shown: AskedView): TerminalReading => ({
  kind: 'hold',
  reason: { code: 'dialog-open', what: 'dialog' },
  asked: shown,
})
const busy: TerminalReading = { kind: 'hold', reason: { code: 'agent-busy' } }
/** An agent's dialog, and a person who clicks on a choice of it as they saw it in `asked`. */
function scene(begins: TerminalReading, home: Terminal['home'] = 'hosted') {
  const clock = virtualClock()
  const written: string[] = []
  const events: EventBody[] = []
  const looked: string[] = []
  const there = { reading: begins, on: (_key: string): TerminalReading => busy }
  const target: Pick<TypingTarget, 'read'> = { read: () => Promise.resolve(there.reading) }
  const answer = createAnswerDialog({
    clock,
    known: () => ({ home, scope: 'pty:1', sessionId: 's' }),
    findTarget: () => target as TypingTarget, // nothing but reading is asked of it
    write(_, data) {
      written.push(data)
      there.reading = there.on(data)
    },
    record: (_, body) => void events.push(body),
    checkNeeds: async (id) => void looked.push(id),
  })
  const click = async (choice: string) => {
    let over = false
    const done = answer({ terminalId: 't', question: asked.question, about: asked.about, choice }).finally(() => {
      over = true
    })
    const settled = done.then(
      () => null,
      (error: unknown) => error,
    )
    for (let i = 0; i < 100 && !over; i++) await clock.advance(100)
    const error = await settled
    if (error !== null) throw error
  }
  return { written, events, looked, there, click }
}
/** Arrows move what is chosen, as opencode does it. */
const moves = (from: AskedView) => {
  let at = from.pointer?.at ?? 0
  return (key: string): TerminalReading => {
    if (key === '\r') return busy
    at += key === '\u001b[C' ? 1 : -1
    return dialog({ ...from, pointer: { at, moves: 'across' } })
  }
}

describe('a click on a choice of an open dialog', () => {
  it('presses its key, once, says what came of it, and looks at once', async () => {
    const s = scene(dialog(asked))
    await s.click('No')
    expect(s.written).toEqual(['2'])
    expect(s.events).toEqual([
      { type: 'dialog-answered', what: 'permission: rm -rf build', choice: 'No', key: '2', closedMs: 100 },
    ])
    expect(s.looked).toEqual(['t'])
  })

  it('says that the dialog still stands where it does', async () => {
    const s = scene(dialog(asked))
    s.there.on = () => dialog(asked)
    await s.click('Yes')
    expect(s.written).toEqual(['1'])
    expect(s.events).toMatchObject([{ closedMs: null }])
  })

  it.each<[string, TerminalReading]>([
    ['the dialog is gone', { kind: 'ready', bracketedPaste: true }],
    ['it asks about something else', dialog({ ...asked, about: 'rm -rf /' })],
    ['it asks something else', dialog({ ...asked, question: 'Trust this folder?' })],
    ['the choice is another', dialog({ ...asked, choices: [{ label: 'Yes, always', key: '1' }] })],
  ])('presses nothing where %s', async (_, reading) => {
    const s = scene(reading)
    await expect(s.click('Yes')).rejects.toMatchObject({ code: 'dialog-changed' })
    expect(s.written).toEqual([])
    expect(s.looked, 'the card is outdated').toEqual(['t'])
  })

  it('presses nothing where nobody can tell what is chosen, or the terminal is not Onward’s', async () => {
    const s = scene(dialog(asked))
    await expect(s.click('Something else')).rejects.toMatchObject({ code: 'no-key' })
    await expect(scene(dialog(asked), 'wrapped').click('Yes')).rejects.toMatchObject({ code: 'not-ours' })
    expect(s.written).toEqual([])
  })

  it('goes to a choice without a key by arrows, and presses Enter when it is seen chosen', async () => {
    const s = scene(dialog(keyless))
    s.there.on = moves(keyless)
    await s.click('Reject')
    expect(s.written).toEqual(['\u001b[C', '\u001b[C', '\r'])
    expect(s.events).toMatchObject([{ choice: 'Reject', key: null }])
  })

  it('goes back, too, and needs no arrow where it is chosen already', async () => {
    const last: AskedView = { ...keyless, pointer: { at: 2, moves: 'across' } }
    const s = scene(dialog(last))
    s.there.on = moves(last)
    await s.click('Allow always')
    expect(s.written).toEqual(['\u001b[D', '\r'])
    const here = scene(dialog(last))
    await here.click('Reject')
    expect(here.written).toEqual(['\r'])
  })

  it.each<[string, string, (key: string) => TerminalReading]>([
    ['the arrow does nothing', 'choice-not-reached', () => dialog(keyless)],
    ['what is chosen can’t be seen any more', 'no-key', () => dialog({ ...keyless, pointer: undefined })],
    ['another dialog came meanwhile', 'dialog-changed', () => dialog({ ...keyless, about: 'rm -rf /' })],
    [
      'the arrows go anywhere else',
      'choice-not-reached',
      (() => {
        let at = 0
        return () => dialog({ ...keyless, pointer: { at: (at = 1 - at), moves: 'across' } })
      })(),
    ],
  ])('never presses Enter where %s', async (_, code, on) => {
    const s = scene(dialog(keyless))
    s.there.on = on
    await expect(s.click('Reject')).rejects.toMatchObject({ code })
    expect(s.written).not.toContain('\r')
    expect(s.events).toEqual([])
  })

  it('takes one click at a time', async () => {
    const s = scene(dialog(asked))
    const first = s.click('Yes')
    await expect(s.click('Yes')).rejects.toMatchObject({ code: 'dialog-changed' })
    await first
    expect(s.written).toEqual(['1'])
  })
})
