import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { converted } from '../testing/converted.ts'
import { watch } from '../testing/summaries.ts'
import type { JsonObject } from '../values.ts'
import { chatAnswerItems } from './append-round.ts'
import { callFinder, readCallEntry, thoughtTags } from './call-finder.ts'
import { chatCodec } from './codec.ts'
import { callSieve, filterChatBody } from './server-tools/filter.ts'

const none = { name: '', input: '' }
const fn = { name: 'look', arguments: '{"at":1}' }

describe('an entry that holds both kinds', () => {
  it.each([
    ['a function beside an empty custom', { type: 'function', function: fn, custom: none }, false, 'look', '{"at":1}'],
    [
      'a function beside a custom of nulls',
      { function: fn, custom: { name: null, input: null } },
      false,
      'look',
      '{"at":1}',
    ],
    [
      'a custom beside an empty function',
      { type: 'custom', custom: { name: 'patch', input: 'x' }, function: { name: '', arguments: '' } },
      true,
      'patch',
      'x',
    ],
    ['a piece of arguments', { function: { arguments: '1}' }, custom: none }, false, null, '1}'],
    [
      'nothing but zero values of a function',
      { type: 'function', function: { name: '', arguments: '' }, custom: none },
      false,
      null,
      '',
    ],
    [
      'nothing but zero values of a custom',
      { type: 'custom', function: { name: '', arguments: '' }, custom: none },
      true,
      null,
      '',
    ],
    ['a custom alone, still empty', { custom: none }, true, null, ''],
  ])('is %s', (_, entry, custom, name, text) => {
    expect(readCallEntry(entry)).toMatchObject({ custom, name, text })
  })
})

const chunk = (value: object) => `data: ${JSON.stringify({ id: 'a', object: 'chat.completion.chunk', ...value })}\n\n`
const calling = (entry: object) => chunk({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...entry }] } }] })
const stream =
  calling({ id: 'c1', type: 'function', function: { name: 'look', arguments: '' }, custom: none }) +
  calling({ function: { name: '', arguments: '{"at"' }, custom: none }) +
  calling({ function: { name: '', arguments: ':1}' }, custom: none }) +
  chunk({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 } }) +
  'data: [DONE]\n\n'
const whole = JSON.stringify({
  id: 'a',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: fn, custom: none }] },
      finish_reason: 'tool_calls',
    },
  ],
})

describe("Snowflake Cortex's calls", () => {
  it.each([
    ['stream', stream],
    ['body', whole],
  ] as const)('are named to the observer, and are functions in other protocols (%s)', (form, bytes) => {
    expect(watch(chatCodec, bytes)).toMatchObject({ toolNames: ['look'], finish: 'tool-calls' })
    const message = converted('chat', 'messages', bytes, form)
    expect(message.bytes).toContain('"name":"look"')
    expect(message.bytes).toMatch(/"stop_reason":"tool_use"/)
    expect(message.dropped).toEqual([])
  })

  it.each([
    ['text/event-stream', stream],
    ['application/json', whole],
  ])('go back to the provider without the empty kind (%s)', (contentType, bytes) => {
    const items = chatAnswerItems({ contentType, body: Buffer.from(bytes) })
    expect(JSON.parse(String(items[0]))).toEqual({
      role: 'assistant',
      tool_calls: [{ id: 'c1', type: 'function', function: fn }],
    })
  })

  it("are hidden where they are Onward's own", () => {
    expect(filterChatBody(Buffer.from(whole), new Set(['look'])).toString()).not.toContain('look')
  })
})

describe('two whole calls of one index, without ids', () => {
  const one = (name: string, args: string) => ({ index: 0, function: { name, arguments: args } })
  const chunkOf = (entry: object) => chunk({ choices: [{ index: 0, delta: { tool_calls: [entry] } }] })
  const both =
    chunkOf(one('look', '{"at":1}')) +
    chunkOf(one('go', '{"to":2}')) +
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }) +
    'data: [DONE]\n\n'

  it('are two calls of a converted answer, and of what goes back to the provider', () => {
    const message = converted('chat', 'messages', both, 'stream')
    expect(message.bytes).toContain('"partial_json":"{\\"at\\":1}"')
    expect(message.bytes).toContain('"partial_json":"{\\"to\\":2}"')
    expect(message.bytes).toMatch(/"stop_reason":"tool_use"/)
    const [item] = chatAnswerItems({ contentType: 'text/event-stream', body: Buffer.from(both) })
    expect(JSON.parse(String(item))).toMatchObject({
      tool_calls: [{ function: { name: 'look' } }, { function: { name: 'go', arguments: '{"to":2}' } }],
    })
  })

  it.each([
    ['look', 'go'],
    ['go', 'look'],
  ])('%s is hidden without the other', (hidden, shown) => {
    const sieve = callSieve(new Set([hidden]))
    const left = [one('look', '{"at":1}'), one('go', '{"to":2}')].flatMap((entry) => sieve.entries([entry]))
    expect(left).toMatchObject([{ index: 0, function: { name: shown } }])
  })
})

describe('a great many calls', () => {
  const count = 50_000
  const piece = (i: number, value: object): JsonObject => ({ index: i, ...value })
  const begin = (i: number) => ({ id: `c${i}`, function: { name: i % 2 === 0 ? 'clock' : 'look', arguments: '{' } })

  it('are kept apart without looking through those before them', () => {
    const all = Array.from({ length: count }, (_, i) => i)
    const found = callFinder<{ index: number | null; id: string | null; text: string }>()
    const tell = (value: JsonObject) => {
      const entry = readCallEntry(value)
      const call = found.find(entry)
      if (call) call.text += entry.text
      else found.add({ index: entry.index, id: entry.id, text: entry.text }, entry)
    }
    for (const i of all) tell(piece(i, begin(i)))
    for (const i of all.toReversed()) tell(piece(i, { function: { arguments: '}' } }))
    expect(found.calls).toHaveLength(count)
    expect(found.calls.every(({ id, text }, i) => id === `c${i}` && text === '{}')).toBe(true)
  })

  it('have the indices that they have without the hidden ones', () => {
    const sieve = callSieve(new Set(['clock']))
    const shown = Array.from({ length: count }, (_, i) => sieve.entries([piece(i, begin(i))])).flat()
    expect(shown.map(({ index }) => index)).toEqual(Array.from({ length: count / 2 }, (_, i) => i))
  })
})

const marked = { extra_content: { google: { thought: true } } }

function split(pieces: readonly string[], markedPieces: number): { thinking: string; text: string } {
  const tags = thoughtTags()
  const out = { thinking: '', text: '' }
  for (const [i, piece] of pieces.entries()) {
    const { thinking, text } = tags.split(piece, i < markedPieces ? marked : {})
    out.thinking += thinking
    out.text += text
  }
  out.thinking += tags.rest()
  return out
}

describe('thoughts between tags', () => {
  it.each<[string, string[], number, string, string]>([
    ['close before the first word', ['<thought>Hm', ' so.', '</thought>Yes', '!'], 2, 'Hm so.', 'Yes!'],
    ['close in a marked piece', ['<thought>Hm</thought>', 'Yes'], 1, 'Hm', 'Yes'],
    ['close in a body', ['<thought>Hm</thought>Yes'], 1, 'Hm', 'Yes'],
    ['close with a tag in two pieces', ['<thought>Hm', ' a < b </thou', 'ght>Yes'], 1, 'Hm a < b ', 'Yes'],
    ['never close', ['<thought>Hm </tho'], 1, 'Hm </tho', ''],
    ['are text where nothing marks them', ['<thought>Hm</thought>Yes'], 0, '', '<thought>Hm</thought>Yes'],
    ['need a tag, whatever is marked', ['Noon.'], 1, '', 'Noon.'],
  ])('%s', (_, pieces, markedPieces, thinking, text) => {
    expect(split(pieces, markedPieces)).toEqual({ thinking, text })
  })

  it('are the same however the answer is cut', () => {
    const rest = 'Hm </thought x </thought>Yes </thought> no'
    fc.assert(
      fc.property(fc.array(fc.nat(rest.length), { maxLength: 8 }), (places) => {
        const ends = [...places.toSorted((a, b) => a - b), rest.length]
        const pieces = ends.map((end, i) => rest.slice(ends[i - 1] ?? 0, end))
        expect(split(['<thought>', ...pieces], 1)).toEqual({ thinking: 'Hm </thought x ', text: 'Yes </thought> no' })
      }),
      runs(200),
    )
  })
})
