import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { chat } from '../../../../../e2e/support/mock-upstream/chat.ts'
import type { AnswerPlan } from '../../../../../e2e/support/mock-upstream/types.ts'
import { validateChatBody, validateChatStream } from '../../testing/validate-chat.ts'
import { withServer } from '../../testing/serve-once.ts'
import { parseObject } from '../../values.ts'
import { sayChat } from '../join.ts'
import { chunk, folded, heard, sse } from '../convert/testing/exchange.ts'
import { chatFilter, filterChatBody } from './filter.ts'
import { filtering, joining } from '../../join/testing/rounds.ts'

const names = new Set(['clock'])
const clock = { name: 'clock', id: 'c', input: {} }
const read = { name: 'read', id: 'r', input: { a: 1 } }
const rounds: AnswerPlan[] = [
  { kind: 'answer', text: 'First.', thinking: 'Hm.', toolCalls: [clock] },
  { kind: 'answer', thinking: 'So.', toolCalls: [clock, { ...clock, id: 'd' }] },
  { kind: 'answer', text: 'Last.', thinking: 'Ah.', toolCalls: [read, { ...clock, id: 'e' }] },
]
const context = (n: number) => ({ n, model: 'm', request: { stream: true, reasoning_effort: 'low' }, nowMs: 0 })
const line = 'Looked at the clock.'

/** Returns what the client gets of rounds; `said`: Onward's own line after them. */
function streamed(plans: readonly AnswerPlan[], said?: string): string {
  const joiner = joining('chat', { stream: true })
  const out: Buffer[] = []
  for (const [i, plan] of plans.entries()) {
    const filter = filtering(chatFilter(names))
    for (const event of chat.events(plan, context(i + 1)))
      out.push(Buffer.from(joiner.push(filter.push(Buffer.from(event)))))
    if (i === plans.length - 1) break
    joiner.endRound('must-come')
    out.push(joiner.keepAlive())
  }
  if (said !== undefined) out.push(joiner.say(said))
  out.push(joiner.finish())
  return Buffer.concat(out).toString()
}
function whole(plans: readonly AnswerPlan[], said?: string): Buffer {
  const joiner = joining('chat', { stream: false })
  for (const [i, plan] of plans.entries()) {
    joiner.push(filterChatBody(Buffer.from(JSON.stringify(chat.json(plan, context(i + 1)))), names))
    if (i < plans.length - 1) joiner.endRound('must-come')
  }
  if (said !== undefined) joiner.say(said)
  return joiner.finish()
}
const got = (stream: string) => {
  const { text, thinking, calls, end, problems } = folded(heard(stream).events)
  return { text, thinking, calls: calls.map(({ id }) => id), end: end && 'reason' in end ? end.reason : null, problems }
}

describe('rounds with hidden calls', () => {
  it.each<[string, AnswerPlan[], string | undefined, ReturnType<typeof got>]>([
    [
      'three of them',
      rounds,
      undefined,
      { text: 'First.\n\nLast.', thinking: 'Hm.\n\nSo.\n\nAh.', calls: ['r'], end: 'tool-calls', problems: [] },
    ],
    [
      'two',
      rounds.slice(0, 2),
      undefined,
      { text: 'First.', thinking: 'Hm.\n\nSo.', calls: [], end: 'stop', problems: [] },
    ],
    [
      'two, and a line',
      rounds.slice(0, 2),
      line,
      { text: `First.\n\n${line}`, thinking: 'Hm.\n\nSo.', calls: [], end: 'stop', problems: [] },
    ],
    [
      'one without a word, and a line',
      [{ kind: 'answer', toolCalls: [clock] }],
      line,
      { text: line, thinking: '', calls: [], end: 'stop', problems: [] },
    ],
    [
      'two without a word, and a line',
      [
        { kind: 'answer', toolCalls: [clock] },
        { kind: 'answer', toolCalls: [clock] },
      ],
      line,
      { text: line, thinking: '', calls: [], end: 'stop', problems: [] },
    ],
    [
      'a text alone, and a line',
      [{ kind: 'answer', text: 'A' }],
      line,
      { text: `A\n\n${line}`, thinking: '', calls: [], end: 'stop', problems: [] },
    ],
  ])('are one answer: %s', async (_what, plans, said, expected) => {
    const stream = streamed(plans, said)
    expect(got(stream)).toEqual(expected)
    expect(stream.split(': keep-alive\n\n').length).toBe(plans.length)
    expect(validateChatStream(stream.replaceAll(': keep-alive\n\n', ''))).toEqual([])
    const body = whole(plans, said)
    expect(validateChatBody(parseObject(body) ?? {})).toEqual([])
    const answer = { content: expected.text, ...(expected.calls.length > 0 ? { tool_calls: [{ id: 'r' }] } : {}) }
    expect(JSON.parse(body.toString())).toMatchObject({ choices: [{ message: answer }] })
    expect(body.includes('"tool_calls":')).toBe(expected.calls.length > 0)
    const sdk = await withServer(
      { contentType: 'text/event-stream', body: Buffer.from(stream), chunkBytes: 37 },
      (origin) =>
        new OpenAI({ baseURL: `${origin}/v1`, apiKey: 'k', maxRetries: 0 }).chat.completions
          .stream({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })
          .finalChatCompletion(),
    )
    expect(sdk.choices[0]?.message).toMatchObject(answer)
  })

  it('count the entries of reasoning_details on', () => {
    const joiner = joining('chat', { stream: true })
    const round = (text: string) =>
      sse(
        ...[
          { reasoning_details: [{ type: 'reasoning.text', text, index: 0 }] },
          { reasoning_details: [{ type: 'reasoning.encrypted', data: text, index: 1 }] },
        ].map((delta) => chunk(delta)),
        chunk({}, 'stop'),
        '[DONE]',
      )
    const out = [joiner.push(Buffer.from(round('a')))]
    joiner.endRound('must-come')
    out.push(joiner.push(Buffer.from(round('b'))), joiner.finish())
    expect(
      [
        ...Buffer.concat(out)
          .toString()
          .matchAll(/"(?:text|data)":"(.)","index":(\d)/g),
      ].map(([, text, index]) => `${text}${index}`),
    ).toEqual(['a0', 'a1', 'b2', 'b3'])
  })
})

describe('a line of Onward’s own in a whole answer', () => {
  it('leaves every other byte', () => {
    expect(
      sayChat(
        Buffer.from('{ "n":1.0,"choices":[{"message":{ "content" : "A\\u0041" ,"x":1e3}, "index":0}] }'),
        'B',
      ).toString(),
    ).toBe('{ "n":1.0,"choices":[{"message":{ "content" : "AA\\n\\nB" ,"x":1e3}, "index":0}] }')
    expect(sayChat(Buffer.from('{"choices":[{"message":{"content":null}}]}'), 'B').toString()).toBe(
      '{"choices":[{"message":{"content":"B"}}]}',
    )
  })
  it.each(['{"error":{}}', 'odd', '{"choices":[]}'])('is not put into what is no answer: %s', (json) => {
    const body = Buffer.from(json)
    expect(sayChat(body, 'B')).toBe(body)
  })
})
