import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { clientKinds, type ClientKind } from '../../../../shared/words.ts'
import { isFresh, isStopped } from './fresh.ts'
import { agents } from './index.ts'
import { loadScreen, readScreen } from './testing/load-screen.ts'
import { backgroundOn, recognise } from './recognise.ts'
import type { ScreenState } from './types.ts'

const idleEmpty: ScreenState = { kind: 'idle', composer: { kind: 'empty' } }
const idlePaste: ScreenState = { kind: 'idle', composer: { kind: 'paste' } }
const draft = (text: string): ScreenState => ({ kind: 'idle', composer: { kind: 'text', text } })
const threeLines = 'first line\nsecond line of a draft\nthird line'
const lines = (count: number, first: string, last: string) =>
  [first, ...Array.from({ length: count }, () => 'Continue. '.repeat(6).trim()), last].join('\n')
const busy: ScreenState = { kind: 'busy', composer: { kind: 'empty' } }
/** only the title, or the agent's own report, says so */
const bySignal = (state: ScreenState): ScreenState => ({ ...state, signal: true }) as ScreenState
const dialog = (what: string): ScreenState => ({ kind: 'dialog', what, composer: { kind: 'unseen' } })
const unknown: ScreenState = { kind: 'unknown' }

const each = (client: ClientKind, state: ScreenState, names: string): Record<string, ScreenState> =>
  Object.fromEntries(names.split(' ').map((name) => [`${client}-${name}`, state]))

/** The state of each recorded screen. Only `idle` with an empty composer may be typed into. */
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
  // its title says busy of its sub-agents
  'claude-agents': idleEmpty,
  'claude-agents-view-text': { kind: 'elsewhere', composer: { kind: 'text', text: 'carry on with the next part' } },
  'claude-shell': idleEmpty,
  'claude-monitor': idleEmpty,
  'claude-shell-draft': draft('a draft'),
  'claude-shell-narrow': idleEmpty,
  'claude-dialog': dialog('dialog'),
  // its note below the command is no part of it
  'claude-lines-dialog': dialog('dialog'),
  'claude-narrow-lines-dialog': dialog('dialog'),
  'claude-edit-dialog': dialog('dialog'),
  'claude-write-dialog': dialog('dialog'),
  'claude-fetch-dialog': dialog('dialog'),
  'claude-mcp-dialog': dialog('dialog'),
  'claude-dialog-pty': dialog('permission'),
  'claude-ask': dialog('dialog'),
  'claude-model': dialog('dialog'),
  'claude-trust': dialog('dialog'),
  'claude-bang': dialog('shell mode'),

  'codex-terminal': idleEmpty,
  'gemini-process': idleEmpty,
  'qwen-shell': idleEmpty,
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
  'codex-edit-dialog': dialog('permission'),
  'codex-write-dialog': dialog('permission'),
  'codex-new': dialog('menu'),
  'codex-model': dialog('menu'),
  'codex-bang': dialog('shell mode'),

  'opencode-fresh': idleEmpty,
  'opencode-fresh-pty': idleEmpty,
  'opencode-idle': idleEmpty,
  'opencode-idle-pty': idleEmpty,
  'opencode-draft': draft('hello there'),
  'opencode-draft-pty': draft('hello there'),
  'opencode-draft-pasted': idlePaste,
  'opencode-slash': draft('/mo'),
  'opencode-gave-up': idleEmpty,
  'opencode-retrying': busy,
  'opencode-busy': busy,
  'opencode-busy-pty': busy,
  'opencode-dialog': dialog('permission'),
  'opencode-edit-dialog': dialog('permission'),
  'opencode-fetch-dialog': dialog('permission'),
  'opencode-outside-dialog': dialog('permission'),
  'opencode-moved-dialog': dialog('permission'),
  'opencode-always-dialog': dialog('permission'),
  'opencode-wide-dialog': dialog('permission'),
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
  'qwen-edit-dialog': dialog('permission'),
  'qwen-write-dialog': dialog('permission'),
  'qwen-fetch-dialog': dialog('permission'),
  'qwen-dialog-pty': dialog('permission'),
  'qwen-bang': dialog('shell mode'),

  'copilot-fresh': idleEmpty,
  'copilot-idle': idleEmpty,
  'copilot-plan': idleEmpty,
  'copilot-autopilot': idleEmpty,
  'copilot-yolo': idleEmpty,
  'copilot-draft': draft('hello there'),
  'copilot-draft-multiline': draft(threeLines),
  'copilot-slash': draft('/move'),
  'copilot-busy': busy,
  'copilot-dialog': dialog('dialog'),
  'copilot-ask': dialog('dialog'),
  'copilot-menu': dialog('dialog'),
  'copilot-bang': dialog('shell mode'),
  'copilot-bang-draft': dialog('shell mode'),

  'kimi-fresh': idleEmpty,
  'kimi-idle': idleEmpty,
  'kimi-plan': idleEmpty,
  'kimi-auto': idleEmpty,
  'kimi-draft': draft('hello there'),
  'kimi-draft-multiline': draft(threeLines),
  'kimi-draft-pasted': idlePaste,
  'kimi-slash': draft('/mo'),
  'kimi-busy': busy,
  'kimi-tool': busy,
  'kimi-dialog': dialog('dialog'),
  'kimi-ask': dialog('dialog'),
  'kimi-bang': dialog('shell mode'),
  'kimi-bang-draft': dialog('shell mode'),

  'kilo-fresh': idleEmpty,
  'kilo-draft': draft('hello there'),
  'kilo-busy': busy,
  'kilo-dialog': dialog('permission'),

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
  'gemini-edit-dialog': dialog('permission'),
  'gemini-write-dialog': dialog('permission'),
  'gemini-fetch-dialog': dialog('permission'),
  'gemini-dialog-pty': dialog('permission'),
  'gemini-loop-ask': dialog('dialog'),
  'gemini-bang': dialog('shell mode'),

  // modes, sizes, themes, other languages, no colours (docs/clients.md)
  ...each('claude', idleEmpty, 'accept-edits plan auto bypass dont-ask vim vim-fresh vim-normal'),
  ...each('claude', idleEmpty, 'narrow wide short light no-color ci suggestion'),
  ...each('claude', draft(threeLines), 'bypass-draft vim-draft narrow-draft wide-draft short-draft light-draft'),
  ...each('claude', draft(threeLines), 'no-color-draft ci-draft'),
  ...each('claude', draft('hello there'), 'vim-normal-draft'),
  ...each(
    'claude',
    busy,
    'accept-edits-busy plan-busy bypass-busy narrow-busy short-busy light-busy no-color-busy ci-busy',
  ),
  ...each('claude', dialog('dialog'), 'narrow-dialog short-dialog no-color-dialog ci-dialog'),
  ...each('claude', dialog('shell mode'), 'no-color-bang'),

  ...each('codex', idleEmpty, 'bypass plan vim vim-normal narrow wide short light no-color ci'),
  ...each(
    'codex',
    draft(threeLines),
    'vim-draft narrow-draft wide-draft short-draft light-draft no-color-draft ci-draft',
  ),
  ...each('codex', draft('hello again'), 'vim-normal-draft'),
  ...each('codex', bySignal(busy), 'narrow-busy short-busy light-busy no-color-busy'),
  ...each('codex', dialog('shell mode'), 'no-color-bang'),

  ...each('opencode', idleEmpty, 'plan narrow narrow-fresh wide short short-fresh light no-color ci'),
  ...each('opencode', draft(threeLines), 'narrow-draft wide-draft short-draft light-draft no-color-draft'),
  ...each('opencode', busy, 'narrow-busy short-busy light-busy no-color-busy'),
  ...each('opencode', dialog('shell mode'), 'no-color-bang'),

  ...each(
    'qwen',
    idleEmpty,
    'auto vim vim-normal no-color-vim no-color-vim-normal zh zh-fresh zh-ci narrow wide short light',
  ),
  ...each('qwen', draft(threeLines), 'vim-draft zh-draft narrow-draft wide-draft short-draft light-draft'),
  ...each('qwen', draft(threeLines), 'no-color-draft ci-draft'),
  ...each('qwen', draft('hello there'), 'vim-normal-draft'),
  ...each('qwen', busy, 'zh-busy narrow-busy short-busy light-busy no-color-busy ci-busy'),
  ...each('qwen', dialog('permission'), 'zh-dialog narrow-dialog short-dialog no-color-dialog ci-dialog'),
  ...each('qwen', dialog('shell mode'), 'zh-bang'),
  ...each('qwen', { kind: 'unknown', seen: 'sign', sign: '!' }, 'vim-bang'),

  ...each('gemini', idleEmpty, 'vim vim-normal no-color-vim narrow wide short light no-color ci'),
  ...each('gemini', draft(threeLines), 'narrow-draft wide-draft short-draft light-draft no-color-draft ci-draft'),
  ...each('gemini', draft('hello there'), 'vim-normal-draft'),
  ...each('gemini', busy, 'narrow-busy short-busy light-busy no-color-busy ci-busy'),
  ...each('gemini', dialog('permission'), 'narrow-dialog short-dialog no-color-dialog ci-dialog'),
  ...each('gemini', dialog('shell mode'), 'no-color-bang'),

  // what a person and a model write at an agent's edges, in words of its own signs
  ...each('claude', idleEmpty, 'named narrow-named status-line status-line-quote'),
  ...each('claude', busy, 'named-busy narrow-named-busy status-line-busy'),
  ...each('claude', draft('a draft: esc to interrupt'), 'named-draft'),
  ...each('codex', idleEmpty, 'quote status-line'),
  ...each('opencode', idleEmpty, 'quote'),
  ...each('qwen', idleEmpty, 'quote status-line'),
  ...each('qwen', busy, 'status-line-busy'),
  ...each('gemini', idleEmpty, 'quote plain footer'),
  ...each('gemini', busy, 'plain-busy'),
  ...each('copilot', idleEmpty, 'quote sidebar'),
  ...each('copilot', draft('hello there'), 'sidebar-draft'),
  ...each('copilot', busy, 'sidebar-busy'),

  // what was suggested, and the same accepted: by the screen alone each is a draft (suggestion.test.ts)
  ...each('qwen', draft('run the tests again'), 'ci-suggestion ci-accepted ci-accepted-home'),
  ...each('claude', draft('run the tests again'), 'ci-suggestion ci-accepted ci-accepted-home'),
  ...each('claude', draft('run the tests again'), 'no-color-suggestion no-color-accepted no-color-accepted-home'),
}

const kindOf = (name: string) => {
  const kind = clientKinds.find((one) => name.startsWith(`${one}-`))
  if (!kind) throw new Error(`no client in the name of ${name}`)
  return kind
}

/** How large the composer is has a test of its own (composer.test.ts). */
function withoutRoom(state: ScreenState): ScreenState {
  if (state.kind === 'unknown' || state.composer.kind !== 'text') return state
  return { ...state, composer: { kind: 'text', text: state.composer.text } }
}

describe('screens of real clients', () => {
  it.each(Object.entries(expected))('%s', async (name, state) => {
    expect(withoutRoom(recognise(await loadScreen(name), agents[kindOf(name)]))).toEqual(state)
  })

  it.each(
    Object.keys(expected).filter((name) => /-(?:fresh|idle|busy|interrupted|transcript|suggestion|agents)/.test(name)),
  )('%s is known as a conversation in which something was said, or nothing yet', async (name) => {
    expect(isFresh(await loadScreen(name), agents[kindOf(name)])).toBe(name.includes('-fresh'))
  })

  it.each([
    ['codex-interrupted', true],
    ['codex-idle', false],
    ['opencode-idle', false],
    ['opencode-gave-up', false],
    ['gemini-busy', false],
    ['claude-idle', false],
  ])('%s says that its person broke the turn off: %s', async (name, stopped) => {
    expect(isStopped(await loadScreen(name), agents[kindOf(name)])).toBe(stopped)
  })

  it('takes an opencode for stopped where no error stands above its last line', async () => {
    const text = readFileSync(new URL('./fixtures/opencode-gave-up.screen', import.meta.url), 'utf8')
    const rows = text.split('\n')
    const error = rows.findIndex((row) => row.includes('told to fail'))
    const stopped = async (...box: string[]) => {
      const shown = rows.toSpliced(error - 1, 3, ...box).join('\n')
      return isStopped(await readScreen(shown), agents.opencode)
    }
    expect(await stopped('', '', '')).toBe(true)
    expect(await stopped('     A word of its model.', '', '')).toBe(true)
    expect(await stopped('  ┃', '  ┃  # Runs the tests', '  ┃')).toBe(true)
    expect(await stopped('  ┃', '  ┃  Overloaded', '  ┃')).toBe(false)
  })

  it('has an expectation for every recording', () => {
    const recorded = readdirSync(new URL('./fixtures/', import.meta.url)).map((file) => file.replace(/\.screen$/, ''))
    expect(recorded.sort()).toEqual(Object.keys(expected).sort())
  })

  it.each(clientKinds.filter((kind) => kind !== 'other'))(
    'has %s before its first message, busy and in a dialog',
    (kind) => {
      const names = ['fresh', 'busy', 'dialog'].map((name) => `${kind}-${name}`)
      expect(Object.keys(expected)).toEqual(expect.arrayContaining(names))
    },
  )

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

describe('work in the background', () => {
  const shownOn = async (name: string, client: ClientKind) => {
    const view = await loadScreen(name)
    return backgroundOn(view, agents[client], recognise(view, agents[client]))
  }

  it.each<[string, ClientKind, string]>([
    ['claude-shell', 'claude', '1 shell'],
    ['claude-monitor', 'claude', '1 monitor'],
    ['claude-shell-draft', 'claude', '1 shell'],
    ['claude-shell-narrow', 'claude', '1 shell'],
    ['claude-agents', 'claude', 'general-purpose  Look around'],
    ['codex-terminal', 'codex', '1 background terminal'],
    ['gemini-process', 'gemini', '1 Background process'],
    ['qwen-shell', 'qwen', '1 shell'],
  ])('is shown by its words: %s', async (name, client, words) => {
    expect(await shownOn(name, client)).toBe(words)
  })

  it.each<[string, ClientKind]>([
    ['claude-idle', 'claude'],
    ['claude-narrow', 'claude'],
    ['codex-idle', 'codex'],
    ['gemini-idle-pty', 'gemini'],
    ['qwen-idle-pty', 'qwen'],
  ])('is none where a screen at rest shows none: %s', async (name, client) => {
    expect(await shownOn(name, client)).toBeNull()
  })

  it.each<[string, ClientKind]>([
    ['claude-busy', 'claude'],
    ['claude-dialog', 'claude'],
    ['codex-busy', 'codex'],
    ['kimi-idle', 'kimi'],
  ])('is not known where the screen can’t tell: %s', async (name, client) => {
    expect(await shownOn(name, client)).toBeUndefined()
  })
})
