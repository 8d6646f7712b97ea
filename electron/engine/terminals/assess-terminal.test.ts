import { beforeAll, describe, expect, it } from 'vitest'
import { agents } from './agents/index.ts'
import { loadScreen } from './agents/testing/load-screen.ts'
import { assessTerminal, type Seen } from './assess-terminal.ts'
import type { ScreenView } from './screen/view.ts'

let idle: ScreenView
let draft: ScreenView
let dialog: ScreenView
beforeAll(async () => {
  idle = await loadScreen('codex-idle')
  draft = await loadScreen('codex-draft')
  dialog = await loadScreen('codex-dialog')
})

const inFront = { kind: 'agent', program: 'codex', pgid: 1 } as const
const seen = (changes: Partial<Seen>): Seen => ({
  gone: null,
  foreground: inFront,
  hold: null,
  agent: agents.codex,
  view: idle,
  ...changes,
})

/** The recorded dialog's question; agents/asked.test.ts shows how it is read. */
const asked = expect.objectContaining({ question: 'Would you like to run the following command?' })

describe('one look at a terminal', () => {
  it('allows typing only when the agent is in front, idle, and its composer empty', () => {
    expect(assessTerminal(seen({})).reading).toEqual({ kind: 'ready', bracketedPaste: true, background: null })
  })

  it.each<[string, () => Partial<Seen>, object]>([
    [
      'gone',
      () => ({ gone: { code: 'terminal-gone', why: 'closed' }, foreground: { kind: 'unknown' } }),
      { kind: 'gone', reason: { code: 'terminal-gone', why: 'closed' } },
    ],
    [
      'a shell in front, whatever the screen still shows',
      () => ({ foreground: { kind: 'shell', program: 'zsh', pgid: 2 } }),
      { kind: 'hold', reason: { code: 'shell-in-front', program: 'zsh' } },
    ],
    [
      'another program in front',
      () => ({ foreground: { kind: 'other', program: 'vim', pgid: 2 } }),
      { kind: 'hold', reason: { code: 'shell-in-front', program: 'vim' } },
    ],
    [
      'nobody knows who is in front',
      () => ({ foreground: { kind: 'unknown' } }),
      { kind: 'hold', reason: { code: 'foreground-unknown' } },
    ],
    [
      'a dialog',
      () => ({ view: dialog }),
      { kind: 'hold', reason: { code: 'dialog-open', what: 'permission' }, asked },
    ],
    [
      'a person typing',
      () => ({ hold: { code: 'typing' } }),
      { kind: 'hold', reason: { code: 'typing' }, background: null },
    ],
    [
      'a dialog before a person typing',
      () => ({ view: dialog, hold: { code: 'typing' } }),
      { kind: 'hold', reason: { code: 'dialog-open', what: 'permission' }, asked },
    ],
    [
      'a draft',
      () => ({ view: draft }),
      { kind: 'composer-holds', text: 'hello there', room: expect.anything(), fresh: true, background: null },
    ],
    [
      'a screen of another client',
      () => ({ agent: agents.claude }),
      { kind: 'hold', reason: { code: 'screen-unknown', seen: 'sign', sign: '›' } },
    ],
  ])('%s', (_what, changes, reading) => {
    expect(assessTerminal(seen(changes())).reading).toEqual(reading)
  })

  it('takes the mode of the terminal where it is known, else what the client is known to do', () => {
    expect(assessTerminal(seen({ view: { ...idle, bracketedPaste: false } })).reading).toEqual({
      kind: 'ready',
      bracketedPaste: false,
      background: null,
    })
    expect(assessTerminal(seen({ view: { ...idle, bracketedPaste: null } })).reading).toEqual({
      kind: 'ready',
      bracketedPaste: true,
      background: null,
    })
    const reporting = {
      ...idle,
      bracketedPaste: null,
      programStatus: { state: 'idle' as const, kind: null, app: null },
    }
    expect(assessTerminal(seen({ view: reporting, agent: agents.other })).reading).toEqual({
      kind: 'ready',
      bracketedPaste: false,
    })
  })
})
