import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { clientKinds } from '../../../../shared/words.ts'
import { isFresh } from './fresh.ts'
import { agents } from './index.ts'
import { loadScreen } from './load-screen.ts'
import { recognise } from './recognise.ts'
import type { ScreenState } from './types.ts'

const idleEmpty: ScreenState = { kind: 'idle', composer: { kind: 'empty' } }
const idlePaste: ScreenState = { kind: 'idle', composer: { kind: 'paste' } }
const draft = (text: string): ScreenState => ({ kind: 'idle', composer: { kind: 'text', text } })
const threeLines = 'first line\nsecond line of a draft\nthird line'
const lines = (count: number, first: string, last: string) =>
  [first, ...Array.from({ length: count }, () => 'Continue. '.repeat(6).trim()), last].join('\n')
const busy: ScreenState = { kind: 'busy', composer: { kind: 'empty' } }
const dialog = (what: string): ScreenState => ({ kind: 'dialog', what, composer: { kind: 'unseen' } })
const unknown: ScreenState = { kind: 'unknown' }

/** What each recorded screen is. Only `idle` with an empty composer may be typed into. */
const expected: Record<string, ScreenState> = {
  'claude-fresh': idleEmpty,
  'claude-fresh-pty': idleEmpty,
  'claude-idle': idleEmpty,
  'claude-idle-pty': idleEmpty,
  'claude-draft': draft('hello there'),
  'claude-draft-pty': draft('hello there'),
  'claude-draft-multiline': draft(`go SLOW please${threeLines}`),
  'claude-draft-pasted': idlePaste,
  'claude-interrupted': draft('go SLOW please'),
  'claude-slash': draft('/mo'),
  'claude-scrolled-fresh-pty': draft(lines(3, 'Continue. '.repeat(6).trim(), 'Continue. Continue.')),
  'codex-scrolled-fresh-pty': draft(
    lines(9, 'word word word word Continue. Continue. Continue. Continue.', 'Continue. Continue.'),
  ),
  'claude-busy': busy,
  'claude-busy-pty': busy,
  'claude-agents': busy,
  'claude-dialog': dialog('dialog'),
  'claude-dialog-pty': dialog('permission'),
  'claude-ask': dialog('dialog'),
  'claude-model': dialog('dialog'),
  'claude-trust': dialog('dialog'),
  'claude-bang': dialog('shell mode'),

  'codex-fresh': idleEmpty,
  'codex-fresh-pty': idleEmpty,
  'codex-idle': idleEmpty,
  'codex-idle-pty': idleEmpty,
  'codex-interrupted': idleEmpty,
  'codex-transcript': idleEmpty,
  'codex-draft': draft('hello there'),
  'codex-draft-pty': draft('hello there'),
  'codex-draft-multiline': draft(threeLines),
  'codex-draft-pasted': idlePaste,
  'codex-slash': draft('/mo'),
  'codex-busy': busy,
  'codex-busy-pty': busy,
  'codex-dialog': dialog('permission'),
  'codex-new': dialog('menu'),
  'codex-model': dialog('menu'),
  'codex-bang': { kind: 'unknown', seen: 'sign', sign: '!' },

  'opencode-fresh': idleEmpty,
  'opencode-fresh-pty': idleEmpty,
  'opencode-idle': idleEmpty,
  'opencode-idle-pty': idleEmpty,
  'opencode-draft': draft('hello there'),
  'opencode-draft-pty': draft('hello there'),
  'opencode-draft-pasted': idlePaste,
  'opencode-slash': draft('/mo'),
  'opencode-busy': busy,
  'opencode-busy-pty': busy,
  'opencode-dialog': dialog('permission'),
  'opencode-dialog-pty': dialog('permission'),
  'opencode-bang-empty': dialog('shell mode'),

  'qwen-fresh': idleEmpty,
  'qwen-fresh-pty': idleEmpty,
  'qwen-idle': idleEmpty,
  'qwen-plan': idleEmpty,
  'qwen-auto-edit': idleEmpty,
  'qwen-yolo': idleEmpty,
  'qwen-yolo-draft': draft('hello there'),
  'qwen-idle-pty': idleEmpty,
  'qwen-suggestion': idleEmpty,
  'qwen-draft': draft('hello there'),
  'qwen-draft-pty': draft('hello there'),
  'qwen-draft-multiline': draft(threeLines),
  'qwen-draft-pasted': idlePaste,
  'qwen-busy': busy,
  'qwen-busy-pty': busy,
  'qwen-dialog': dialog('permission'),
  'qwen-dialog-pty': dialog('permission'),
  'qwen-bang': dialog('shell mode'),

  'gemini-yolo': idleEmpty,
  'gemini-yolo-busy': { kind: 'busy', composer: { kind: 'text', text: 'hello there' } },
  'gemini-plan': idleEmpty,
  'gemini-auto-edit': idleEmpty,
  'gemini-fresh': idleEmpty,
  'gemini-fresh-pty': idleEmpty,
  'gemini-idle-pty': idleEmpty,
  'gemini-draft-pty': draft('hello there'),
  'gemini-draft-multiline': draft(threeLines),
  'gemini-draft-pasted': idlePaste,
  'gemini-busy': busy,
  'gemini-busy-pty': busy,
  'gemini-dialog': dialog('permission'),
  'gemini-dialog-pty': dialog('permission'),
  'gemini-bang': { kind: 'unknown', seen: 'cursor' },
}

const kindOf = (name: string) => {
  const kind = clientKinds.find((one) => name.startsWith(`${one}-`))
  if (!kind) throw new Error(`no client in the name of ${name}`)
  return kind
}

describe('screens of real clients', () => {
  it.each(Object.entries(expected))('%s', async (name, state) => {
    expect(recognise(await loadScreen(name), agents[kindOf(name)])).toEqual(state)
  })

  it.each(
    Object.keys(expected).filter((name) => /-(?:fresh|idle|busy|interrupted|transcript|suggestion|agents)/.test(name)),
  )('%s is known as a conversation in which something was said, or nothing yet', async (name) => {
    expect(isFresh(await loadScreen(name), agents[kindOf(name)])).toBe(name.includes('-fresh'))
  })

  it('has an expectation for every recording', () => {
    const recorded = readdirSync(new URL('./fixtures/', import.meta.url)).map((file) => file.replace(/\.screen$/, ''))
    expect(recorded.sort()).toEqual(Object.keys(expected).sort())
  })

  it('is never idle without its own positive signs, whichever client is asked', async () => {
    for (const name of Object.keys(expected)) {
      const view = { ...(await loadScreen(name)), programStatus: null }
      for (const kind of clientKinds) {
        const state = recognise(view, agents[kind])
        if (kind === kindOf(name)) continue
        expect(state.kind, `${name} read as ${kind}`).not.toBe('idle')
      }
    }
  })

  it('wins over the composer when the program itself says it works or is blocked', async () => {
    const view = await loadScreen('codex-idle')
    const app = 'codex'
    expect(recognise({ ...view, programStatus: { state: 'working', kind: null, app } }, agents.codex).kind).toBe('busy')
    expect(
      recognise({ ...view, programStatus: { state: 'blocked', kind: 'permission', app } }, agents.codex).kind,
    ).toBe('dialog')
    expect(recognise({ ...view, title: '⠹ A task | project' }, agents.codex).kind).toBe('busy')
    expect(recognise({ ...view, title: '[ . ] Action Required | A task' }, agents.codex).kind).toBe('dialog')
  })
})

describe('a program of no known screen', () => {
  it('is idle only by its own report', async () => {
    const view = await loadScreen('codex-idle')
    expect(recognise({ ...view, programStatus: null }, agents.other)).toEqual(unknown)
    for (const state of ['idle', 'done'] as const) {
      expect(recognise({ ...view, programStatus: { state, kind: null, app: null } }, agents.other)).toEqual({
        kind: 'idle',
        composer: { kind: 'unseen' },
      })
    }
    expect(recognise({ ...view, programStatus: { state: 'working', kind: null, app: null } }, agents.other).kind).toBe(
      'busy',
    )
  })
})
