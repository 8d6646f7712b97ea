import { afterEach, describe, expect, it } from 'vitest'
import type { TypeControl } from '../types.ts'
import { quietMs } from '../typing/keystrokes.ts'
import { defaultTypingSettings } from '../typing/port.ts'
import { readerInPty, type ReaderTerminal } from '../testing/reader-pty.ts'
import { waitFor } from '../../../../shared/testing/wait-for.ts'

const never: TypeControl = { requestArrived: new AbortController().signal, stop: new AbortController().signal }
const started: ReaderTerminal[] = []
const start = async (...args: Parameters<typeof readerInPty>) => {
  const one = await readerInPty(...args)
  started.push(one)
  return one
}
afterEach(async () => {
  for (const one of started.splice(0)) await one.end()
})

const ready = async ({ terminal }: ReaderTerminal) => {
  await waitFor('an idle terminal', async () => (await terminal.read()).kind === 'ready')
}
/** The reader gets that and no more, and patience with it is over. */
const onlyGets = async ({ read, drawn, clock }: ReaderTerminal, text: string) => {
  await waitFor('what is typed', () => read()?.toString() === text && drawn() === Buffer.byteLength(text))
  clock.skip(defaultTypingSettings.patienceMs)
}
const holdOf = async ({ terminal }: ReaderTerminal) => {
  const reading = await terminal.read()
  return reading.kind === 'hold' ? reading.reason.code : reading.kind
}

describe('typing into a real PTY', () => {
  it('is one paste and one Enter', async () => {
    const reader = await start('codex')
    await ready(reader)
    expect(await reader.terminal.type({ entryId: 'e1', text: 'one\ntwo', client: 'codex' }, never)).toEqual({
      kind: 'submitted',
      extraEnter: false,
    })
    expect(reader.read()?.toString()).toBe('\u001b[200~one\rtwo\u001b[201~\r')
  })

  it('never types the same entry again', async () => {
    const reader = await start('codex')
    await ready(reader)
    await reader.terminal.type({ entryId: 'e1', text: 'once', client: 'codex' }, never)
    await ready(reader)
    expect(await reader.terminal.type({ entryId: 'e1', text: 'once', client: 'codex' }, never)).toMatchObject({
      kind: 'enter-owed',
    })
    expect(reader.read()?.toString()).toBe('\u001b[200~once\u001b[201~\r')
  })

  it('is one line and one Enter where bracketed paste is off', async () => {
    const reader = await start('codex', { flags: ['--no-paste'] })
    await ready(reader)
    expect((await reader.terminal.type({ entryId: 'e1', text: 'one\ntwo', client: 'codex' }, never)).kind).toBe(
      'submitted',
    )
    expect(reader.read()?.toString()).toBe('one two\r')
  })

  it('presses Enter once more when the first was swallowed, and no third time', async () => {
    const reader = await start('codex', { flags: ['--swallow-enters', '5'] })
    await ready(reader)
    const attempt = reader.terminal.type({ entryId: 'e1', text: 'x', client: 'codex' }, never)
    await onlyGets(reader, '\u001b[200~x\u001b[201~\r')
    await onlyGets(reader, '\u001b[200~x\u001b[201~\r\r')
    expect(await attempt).toEqual({
      kind: 'enter-owed',
      reason: { code: 'enter-ignored' },
      shown: true,
      entered: true,
    })
    expect(reader.read()?.toString()).toBe('\u001b[200~x\u001b[201~\r\r')
  })

  it('presses Enter no second time when no engine could tell of a request', async () => {
    const reader = await start('codex', { flags: ['--swallow-enters', '5'] })
    reader.terminal.engineIs(false)
    await ready(reader)
    const attempt = reader.terminal.type({ entryId: 'e1', text: 'x', client: 'codex' }, never)
    await onlyGets(reader, '\u001b[200~x\u001b[201~\r')
    expect(await attempt).toMatchObject({ kind: 'enter-owed' })
    expect(reader.read()?.toString()).toBe('\u001b[200~x\u001b[201~\r')
  })

  it('works for any program that reports its state', async () => {
    const reader = await start('other', { flags: ['--no-composer'] })
    await ready(reader)
    expect(await reader.terminal.type({ entryId: 'e1', text: 'hello', client: 'other' }, never)).toEqual({
      kind: 'submitted',
      extraEnter: false,
    })
    expect(reader.read()?.toString()).toBe('\u001b[200~hello\u001b[201~\r')
  })

  it('types nothing to a program that reports nothing', async () => {
    const reader = await start('other', { flags: ['--no-status'] })
    expect(await reader.terminal.type({ entryId: 'e1', text: 'hello', client: 'other' }, never)).toEqual({
      kind: 'held',
      reason: { code: 'screen-unknown' },
    })
    expect(reader.read()?.toString()).toBe('')
  })
})

describe('the guards of a real PTY', () => {
  it('holds while a dialog is open, and Enter reaches it never', async () => {
    const reader = await start('codex')
    await ready(reader)
    process.kill(reader.pid() ?? 0, 'SIGUSR2')
    await waitFor('the dialog', async () => (await holdOf(reader)) === 'dialog-open')
    expect((await reader.terminal.type({ entryId: 'e1', text: 'go on', client: 'codex' }, never)).kind).toBe('held')
    expect(reader.read()?.toString()).toBe('')
    expect(reader.approved()).toBe(false)
  })

  it('keeps Enter from a dialog that swallowed the text', async () => {
    const reader = await start('codex', { flags: ['--dialog-on', 'text'] })
    await ready(reader)
    expect(await reader.terminal.type({ entryId: 'e1', text: 'go on', client: 'codex' }, never)).toMatchObject({
      kind: 'enter-owed',
      reason: { code: 'dialog-open' },
    })
    expect(reader.approved()).toBe(false)
  })

  it('owes Enter when a dialog opened behind the text, and presses it when asked again', async () => {
    const reader = await start('codex', { flags: ['--dialog-on', 'enter'] })
    await ready(reader)
    const order = { entryId: 'e1', text: 'go on', client: 'codex' as const }
    const attempt = reader.terminal.type(order, never)
    await onlyGets(reader, '\u001b[200~go on\u001b[201~\r')
    expect((await attempt).kind).toBe('enter-owed')
    expect(reader.approved()).toBe(false)
    reader.terminal.typed(Buffer.from('\u001b'))
    reader.clock.skip(quietMs)
    await waitFor(
      'the text alone in the composer',
      async () => (await reader.terminal.read()).kind === 'composer-holds',
    )
    expect(await reader.terminal.pressOwedEnter(order, never)).toEqual({ kind: 'submitted', extraEnter: false })
    expect(reader.read()?.toString()).toBe('\u001b[200~go on\u001b[201~\r\u001b\r')
  })

  it('types nothing when the agent has quit to its shell', async () => {
    const reader = await start('other', {
      argv: (program) => [
        'bash',
        '--norc',
        '--noprofile',
        '-ic',
        `${program.map((part) => `'${part}'`).join(' ')}; exec bash --norc --noprofile -i`,
      ],
    })
    await ready(reader)
    reader.terminal.typed(Buffer.from('\u0003'))
    await waitFor('the shell in front', async () => (await holdOf(reader)) === 'shell-in-front')
    expect(
      (await reader.terminal.type({ entryId: 'e1', text: 'touch should-not-exist', client: 'other' }, never)).kind,
    ).toBe('held')
    expect(reader.read()?.toString()).toBe('\u0003')
  })

  it('holds while the person is in the middle of a line', async () => {
    const reader = await start('codex')
    await ready(reader)
    reader.terminal.typed(Buffer.from('half a li'))
    // By the keys, or on a machine that is busy meanwhile by what stands in the composer.
    expect((await reader.terminal.type({ entryId: 'e1', text: 'go on', client: 'codex' }, never)).kind).toBe('held')
    reader.terminal.typed(Buffer.from('ne\r'))
    reader.clock.skip(quietMs)
    await ready(reader)
    expect(reader.read()?.toString()).toBe('half a line\r')
  })

  it('is gone when the program has ended', async () => {
    const reader = await start('codex')
    await ready(reader)
    reader.terminal.typed(Buffer.from('\u0003'))
    await waitFor('the end', () => reader.terminal.ended !== null)
    expect(await reader.terminal.read()).toEqual({
      kind: 'gone',
      reason: { code: 'agent-gone' },
    })
    expect((await reader.terminal.type({ entryId: 'e1', text: 'go on', client: 'codex' }, never)).kind).toBe('failed')
  })
})
