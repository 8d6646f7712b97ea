import { describe, expect, it } from 'vitest'
import { agents } from './agents/index.ts'
import { conversationOn } from './agents/fresh.ts'
import { loadScreen } from './agents/testing/load-screen.ts'
import { heard, recogniseConversation, saidOf, type KnownConversation } from './said.ts'

/** A conversation in which this was said, in this order. */
const talk = (...texts: string[]): KnownConversation =>
  texts.reduce<readonly KnownConversation[]>((known, text) => heard(known, texts.join(), text), [])[0] ?? {
    sessionId: 'silent',
    said: [],
  }
const rows = (text: string): string[] => text.split('\n')
const wrap = (text: string, cols: number): string[] => text.match(new RegExp(`.{1,${cols}}`, 'gs')) ?? []

const long =
  'The parser reads the header first, then it walks over the entries. I have written a test for the empty file, ' +
  'mended the loop that ran one step too far, and run the whole suite: 214 tests pass.'

describe('a conversation on a recorded screen', () => {
  it.each([
    ['claude-idle', 'Done with that. Anything else?'],
    ['claude-narrow', 'One part is written.'],
    ['claude-short', 'One part is written.'],
    ['codex-idle', 'Done with that. Anything else?'],
    ['codex-narrow', 'One part is written.'],
    ['codex-short', 'One part is written.'],
    ['opencode-idle', 'Done with that. Anything else?'],
    ['opencode-wide', 'One part is written.'],
    ['opencode-short', 'One part is written.'],
    ['gemini-idle-pty', 'Done with that. Anything else?'],
    ['gemini-short', 'One part is written.'],
    ['qwen-idle', 'Done with that. Anything else?'],
    ['qwen-narrow', 'One part is written.'],
    ['copilot-idle', 'One part is written.'],
    ['kimi-idle', 'One part is written.'],
  ] as const)('%s is known by its last words, and for no other', async (name, answer) => {
    const client = name.slice(0, name.indexOf('-')) as 'claude'
    const shown = conversationOn(await loadScreen(name), agents[client])?.rows ?? []
    const mine = talk('hello there', answer)
    expect(recogniseConversation(shown, mine, [talk('bye', 'Nothing was done.')])).toBe('shown')
    expect(recogniseConversation(shown, talk('bye', 'Nothing was done.'), [mine])).toBe('other')
    expect(recogniseConversation(shown, talk('another beginning', answer), [mine])).toBe('other')
    expect(recogniseConversation(shown, talk('another beginning', 'A longer answer of mine'), [])).toBe('unseen')
  })

  it.each(['claude-fresh', 'codex-fresh', 'opencode-fresh', 'gemini-fresh', 'qwen-fresh'])(
    'none in %s',
    async (name) => {
      const client = name.slice(0, name.indexOf('-')) as 'claude'
      const shown = conversationOn(await loadScreen(name), agents[client])?.rows ?? []
      expect(recogniseConversation(shown, talk('hello there', long), [])).toBe('unseen')
    },
  )
})

describe('last words', () => {
  it.each<[string, string, string[]]>([
    ['wrapped by the terminal', long, wrap(long, 37)],
    ['indented', long, wrap(long, 60).map((row) => `     ${row}`)],
    ['beside another column', long, wrap(long, 70).map((row, i) => `${row.padEnd(80)}┃ Context ${i} tokens`)],
    ['of which the beginning is scrolled away', long, wrap(long, 60).slice(1)],
    ['in a screen with room for two rows', long, wrap(long, 60).slice(-2)],
    ['with things drawn below', long, [...wrap(long, 60), '', '✻ Cooked for 12s · done', '', '? for shortcuts']],
    [
      'as markdown that the agent draws',
      '## Done\n\n- **First** part: `a.ts`, see [the docs](https://example.org/a/very/long/way/to/the/page)\n' +
        '- Second *part*\n\n```ts\nconst answer = 42\n```\n',
      ['Done', '', '• First part: a.ts, see the docs', '• Second part', '', '  const answer = 42'],
    ],
    [
      'as a table',
      'Results:\n\n| file | lines | state |\n|---|--:|---|\n| parser.ts | 120 | written |\n| lexer.ts | 80 | tested |',
      [
        'Results:',
        '┌───────────┬───────┬─────────┐',
        '│ file      │ lines │ state   │',
        '│ parser.ts │   120 │ written │',
      ].concat(['│ lexer.ts  │    80 │ tested  │', '└───────────┴───────┴─────────┘']),
    ],
    [
      'in Chinese',
      '测试已经全部通过，接下来我会更新文档并提交改动。',
      ['● 测试已经全部通过，接下来我', '  会更新文档并提交改动。'],
    ],
  ])('are known %s', (_, text, shown) => {
    expect(recogniseConversation(shown, talk('some words', text), [])).toBe('shown')
    expect(recogniseConversation(shown, talk('some words', 'Something that was never drawn here.'), [])).toBe('unseen')
  })

  it('are those of the message before, where an answer has no words', () => {
    expect(saidOf(' … \n')).toBeNull()
    expect(recogniseConversation(rows(`❯ ${long}`), talk(long, '…'), [])).toBe('shown')
  })

  it('need no more than the end of what was said: a command that was run since draws nothing over them', () => {
    expect(recogniseConversation(rows(`❯ hi\n● ${long}\n❯ /status\n  ⎿  nothing new`), talk('hi', long), [])).toBe(
      'shown',
    )
  })
})

describe('two conversations of one terminal', () => {
  it('are told apart by more than their last words', () => {
    const [apples, pears] = [talk('about apples', 'ok'), talk('about pears', 'ok')]
    const shown = rows('❯ about apples\n\n● ok')
    expect(recogniseConversation(shown, apples, [pears])).toBe('shown')
    expect(recogniseConversation(shown, pears, [apples])).toBe('other')
    expect(recogniseConversation(shown, pears, [])).toBe('unseen')
  })

  it('are not guessed at where both would look alike', () => {
    const twin = { ...talk('say ok', 'ok'), sessionId: 'twin' }
    expect(recogniseConversation(rows('❯ say ok\n● ok'), talk('say ok', 'ok'), [twin])).toBe('unseen')
  })

  it.each([
    ['MOCK-REPLY 1 done.', 'MOCK-REPLY 2 done.'],
    ['round 7 is over, the tests pass and I go on', 'round 8 is over, the tests pass and I go on'],
  ])('are told apart by one sign of their last words: %s', (one, other) => {
    const shown = rows(`❯ go on\n● ${one}`)
    expect(recogniseConversation(shown, talk('go on', one), [talk('go on', other)])).toBe('shown')
    expect(recogniseConversation(shown, talk('go on', other), [talk('go on', one)])).toBe('other')
  })

  it('are told apart by which of them has its last words further down: a fork begins with all of the other', () => {
    const before = ['how does it work?', long]
    const fork = talk(
      ...before,
      'and then?',
      'Then the lexer takes over, and hands its tokens to the parser one by one.',
    )
    const shown = rows(
      `❯ how does it work?\n${wrap(long, 60).join('\n')}\n\n❯ and then?\n` +
        'Then the lexer takes over, and hands its tokens to the parser one by one.',
    )
    expect(recogniseConversation(shown, fork, [talk(...before)])).toBe('shown')
    expect(recogniseConversation(shown, talk(...before), [fork])).toBe('other')
  })
})

it('remembers the last messages of the last conversations, and no word of them', () => {
  let known: readonly KnownConversation[] = []
  for (let n = 0; n < 40; n++) known = heard(known, `s${n % 20}`, `message ${n} of this conversation`)
  expect(known).toHaveLength(12)
  for (let n = 0; n < 40; n++) known = heard(known, 's19', `message ${n} of that conversation`)
  expect(known.at(-1)?.said).toHaveLength(6)
  expect(heard(known, 's19', 'message 39 of that conversation')).toBe(known)
  expect(JSON.stringify(known)).not.toContain('message')
})
