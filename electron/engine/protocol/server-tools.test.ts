import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chat } from '../../../e2e/support/mock-upstream/chat.ts'
import { gemini } from '../../../e2e/support/mock-upstream/gemini.ts'
import { messages } from '../../../e2e/support/mock-upstream/messages.ts'
import { responses } from '../../../e2e/support/mock-upstream/responses.ts'
import type { AnswerPlan } from '../../../e2e/support/mock-upstream/types.ts'
import type { EntryProtocol } from '../../../shared/words.ts'
import type { WholeAnswer } from './answer/whole-answer.ts'
import { codecOf, serverToolCodecOf } from './index.ts'
import { splice } from './json-bytes/index.ts'
import { runs } from '../../../shared/testing/runs.ts'

const wires = { chat, messages, responses, gemini }
const protocols: EntryProtocol[] = ['chat', 'responses', 'messages']
const context = { n: 1, model: 'm', request: { stream_options: { include_usage: true } }, nowMs: 0 }
const json = (value: unknown): WholeAnswer => ({
  contentType: 'application/json',
  body: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
})
const sse = (...events: string[]): WholeAnswer => ({
  contentType: 'text/event-stream; charset=utf-8',
  body: Buffer.from(events.join('')),
})
const whole = (protocol: EntryProtocol, plan: AnswerPlan): WholeAnswer => json(wires[protocol].json(plan, context))
const streamed = (protocol: EntryProtocol, plan: AnswerPlan): WholeAnswer =>
  sse(...wires[protocol].events(plan, context))

/** The request that continues after its answer, as rounds of one exchange do. */
function append(protocol: EntryProtocol, request: string, answer: WholeAnswer, text = 'go on'): string {
  const serverTools = serverToolCodecOf(protocol)
  const lens = codecOf(protocol).read(Buffer.from(request))
  const items = [...serverTools.readAnswer(answer, lens, new Set()).items, serverTools.userItem(text)]
  return splice(lens.body, serverTools.append(lens, items)).toString()
}
/** Returns the items that were added after the only item of the request. */
function added(protocol: EntryProtocol, answer: WholeAnswer, request?: string): unknown {
  const list = protocol === 'responses' ? 'input' : 'messages'
  const value = JSON.parse(
    append(protocol, request ?? `{"${list}":[{"role":"user","content":"Hi"}]}`, answer),
  ) as Record<string, unknown[]>
  return value[list]?.slice(1, -1)
}

const plan: AnswerPlan = { kind: 'answer', text: 'Hello, 世界 👋', thinking: 'Think "of" it.', piece: 3 }

describe('a Gemini request that goes on', () => {
  const answered: AnswerPlan = {
    kind: 'answer',
    text: 'Hello, 世界 👋',
    thinking: 'Think.',
    toolCalls: [{ name: 'look', input: { at: 1 } }],
    piece: 3,
  }
  const parts = [
    { text: 'Think.', thought: true },
    { text: 'Hello, 世界 👋' },
    { functionCall: { name: 'look', args: { at: 1 } }, thoughtSignature: expect.any(String) },
  ]
  it.each([
    ['whole', whole],
    ['streamed', streamed],
  ])('has the answer as it came, signatures on their parts: %s', (_how, answer) => {
    const body = '{"contents":[ {"role":"user","parts":[{"text":"Hi"}]} ] , "zz":1.0}'
    const out = append('gemini', body, answer('gemini', answered), 'weiter “so”')
    expect(out.startsWith(body.slice(0, body.indexOf(' ] ,')))).toBe(true)
    expect(out.endsWith(',{"role":"user","parts":[{"text":"weiter “so”"}]} ] , "zz":1.0}')).toBe(true)
    expect(JSON.parse(out)).toMatchObject({ contents: [{}, { role: 'model', parts }, {}] })
  })
  it('adds nothing of an empty answer, and puts a bare content into a list', () => {
    const out = append(
      'gemini',
      '{"contents": {"parts":{"text":"Hi"}} }',
      json({ candidates: [{ content: { parts: [{ text: '' }] }, finishReason: 'STOP' }] }),
    )
    expect(JSON.parse(out)).toEqual({
      contents: [{ parts: { text: 'Hi' } }, { role: 'user', parts: [{ text: 'go on' }] }],
    })
  })
})

describe('a request that goes on', () => {
  it.each([
    ['chat', 'messages'],
    ['messages', 'messages'],
    ['responses', 'input'],
  ] as const)('keeps every other byte: %s', (protocol, list) => {
    const before = `\n{ "x" : [ 1.50, -0, 1E400 ],\t"${list}" : [ {"role":"user" ,"content":"\\u00e4 \\ud800"}`
    const behind = ` \r\n ] , "zz":null }\n`
    const out = append(protocol, before + behind, whole(protocol, plan), 'weiter “so” \ud83d\udc4b\n')
    expect(out.startsWith(before)).toBe(true)
    expect(out.endsWith(`,{"role":"user","content":"weiter “so” 👋\\n"}${behind}`)).toBe(true)
  })

  it('has the answer in it as it was answered', () => {
    expect(added('chat', whole('chat', plan))).toEqual([{ role: 'assistant', content: 'Hello, 世界 👋' }])
    expect(added('messages', whole('messages', plan))).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Think "of" it.', signature: 'sig_mock1' },
          { type: 'text', text: 'Hello, 世界 👋' },
        ],
      },
    ])
    expect(added('responses', whole('responses', plan))).toMatchObject([
      { type: 'reasoning', id: 'rs_mock1', encrypted_content: 'enc_mock1' },
      { type: 'message', content: [{ text: 'Hello, 世界 👋' }] },
    ])
  })

  it.each(protocols)('is the same for a streamed answer: %s', (protocol) => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'grapheme' }).filter((t) => /\S/.test(t)),
        fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
        fc.integer({ min: 1, max: 9 }),
        (text, thinking, piece) => {
          const some: AnswerPlan = { kind: 'answer', text, piece, ...(thinking === undefined ? {} : { thinking }) }
          expect(added(protocol, streamed(protocol, some))).toEqual(added(protocol, whole(protocol, some)))
        },
      ),
      runs(150),
    )
  })

  it('keeps the bytes of blocks and items of a JSON answer', () => {
    const block = '{ "type":"text", "text":"\\u0041", "n":1.50 }'
    expect(append('messages', '{"messages":[]}', json(`{"content":[${block}]}`))).toBe(
      `{"messages":[{"role":"assistant","content":[${block}]},{"role":"user","content":"go on"}]}`,
    )
    const item = '{"type":"message","id":"msg_1","role":"assistant","content":[ ],"n":1.0}'
    expect(append('responses', '{"input":[]}', json(`{"output":[${item}]}`))).toBe(
      `{"input":[${item},{"role":"user","content":"go on"}]}`,
    )
  })

  it('recognises a stream that is not labelled as one', () => {
    expect(added('chat', { ...streamed('chat', plan), contentType: 'text/plain' })).toEqual(
      added('chat', whole('chat', plan)),
    )
  })
})

describe('Chat', () => {
  it('leaves out members that say nothing, which some servers refuse in requests', () => {
    expect(
      added(
        'chat',
        json({
          choices: [
            {
              message: {
                role: 'assistant',
                content: 'A',
                reasoning_content: 'r',
                refusal: null,
                annotations: [],
                tool_calls: [],
                function_call: null,
              },
            },
          ],
        }),
      ),
    ).toEqual([{ role: 'assistant', content: 'A', reasoning_content: 'r' }])
  })
  it('puts reasoning of any name together from its deltas, list entries by index', () => {
    const delta = (d: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: d }] })}\n\n`
    expect(
      added(
        'chat',
        sse(
          delta({
            role: 'assistant',
            content: '',
            reasoning: 'ab',
            reasoning_details: [{ type: 'reasoning.text', text: 'ab', format: 'x-1', index: 0 }],
          }),
          delta({
            role: 'assistant',
            reasoning: 'cd',
            reasoning_details: [{ type: 'reasoning.text', text: 'cd', format: 'x-1', index: 0 }],
          }),
          delta({
            reasoning_details: [
              { type: 'reasoning.text', signature: 'sig', index: 0 },
              { type: 'reasoning.encrypted', data: 'e', index: 1 },
            ],
          }),
          delta({ content: 'A', tool_calls: null }),
          delta({ content: 'B' }),
          'data: [DONE]\n\n',
        ),
      ),
    ).toEqual([
      {
        role: 'assistant',
        content: 'AB',
        reasoning: 'abcd',
        reasoning_details: [
          { type: 'reasoning.text', text: 'abcd', format: 'x-1', index: 0, signature: 'sig' },
          { type: 'reasoning.encrypted', data: 'e', index: 1 },
        ],
      },
    ])
  })
  it('has no assistant message for an answer without anything in it', () => {
    expect(
      added('chat', json({ choices: [{ message: { role: 'assistant', content: null, refusal: null } }] })),
    ).toEqual([])
    expect(added('chat', json({ choices: [] }))).toEqual([])
  })
})

describe('Messages', () => {
  const text = (t: string) => ({ type: 'text', text: t })
  const thinking = { type: 'thinking', thinking: 't', signature: 's' }
  it.each([
    ['empty texts', [text(''), text('A'), text(' \n')], [text('A')]],
    ['thinking at the end', [text('A'), thinking, { type: 'redacted_thinking', data: 'd' }], [text('A')]],
  ])('leaves out what Anthropic refuses: %s', (_what, content, expected) => {
    expect(added('messages', json({ content }))).toEqual([{ role: 'assistant', content: expected }])
  })
  it('has no assistant message when nothing is left', () => {
    expect(added('messages', json({ content: [thinking] }))).toEqual([])
  })
  it('keeps blocks it does not know, citations and inputs of a stream', () => {
    const event = (data: Record<string, unknown>) => `event: ${String(data['type'])}\ndata: ${JSON.stringify(data)}\n\n`
    const start = (index: number, content_block: object) => event({ type: 'content_block_start', index, content_block })
    const delta = (index: number, d: object) => event({ type: 'content_block_delta', index, delta: d })
    expect(
      added(
        'messages',
        sse(
          start(0, { type: 'server_tool_use', id: 'st', name: 'web_search', input: {} }),
          delta(0, { type: 'input_json_delta', partial_json: '{"q":' }),
          delta(0, { type: 'input_json_delta', partial_json: '"x"}' }),
          start(1, { type: 'web_search_tool_result', content: [{ url: 'u' }] }),
          start(2, { type: 'text', text: '', citations: [] }),
          delta(2, { type: 'text_delta', text: 'A' }),
          delta(2, { type: 'citations_delta', citation: { url: 'u' } }),
        ),
      ),
    ).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 'st', name: 'web_search', input: { q: 'x' } },
          { type: 'web_search_tool_result', content: [{ url: 'u' }] },
          { type: 'text', text: 'A', citations: [{ url: 'u' }] },
        ],
      },
    ])
  })
})

describe('Responses', () => {
  const answer = json({
    output: [
      { type: 'reasoning', id: 'r1', summary: [], encrypted_content: null },
      { type: 'reasoning', id: 'r2', summary: [], encrypted_content: 'e' },
      { type: 'message', id: 'm1', role: 'assistant', content: [] },
    ],
  })
  const go = '{"role":"user","content":"go on"}'

  it('makes a list of a bare text, whose bytes stay', () => {
    const out = append('responses', '{ "input" : "H\\u0069" }', json({ output: [] }))
    expect(out).toBe(`{ "input" : [{"role":"user","content":"H\\u0069"},${go}] }`)
  })
  it('keeps previous_response_id: the answer it names comes before all of this', () => {
    const out = append(
      'responses',
      '{"previous_response_id":"resp_0","input":[{"role":"user","content":"Hi"}]}',
      answer,
    )
    expect(JSON.parse(out)).toMatchObject({
      previous_response_id: 'resp_0',
      input: [{ content: 'Hi' }, { id: 'r1' }, { id: 'r2' }, { id: 'm1' }, { content: 'go on' }],
    })
  })
  it('sends only the new message to a conversation the provider keeps', () => {
    expect(append('responses', '{"conversation":"conv_1","input":[{"role":"user","content":"Hi"}]}', answer)).toBe(
      `{"conversation":"conv_1","input":[${go}]}`,
    )
    expect(append('responses', '{"conversation":null,"input":[]}', json({ output: [] }))).toBe(
      `{"conversation":null,"input":[${go}]}`,
    )
  })
  it('leaves out reasoning that nobody stored and that carries nothing', () => {
    expect(added('responses', answer, '{"store":false,"input":[{"role":"user","content":"Hi"}]}')).toMatchObject([
      { id: 'r2' },
      { id: 'm1' },
    ])
  })
  it('takes the items of the stream where its end names none', () => {
    const done = (index: number, id: string) =>
      'data: ' +
      `${JSON.stringify({ type: 'response.output_item.done', output_index: index, item: { id, type: 'message' } })}` +
      '\n\n'
    expect(
      added(
        'responses',
        sse(done(1, 'b'), done(0, 'a'), 'data: {"type":"response.completed","response":{"output":[]}}\n\n'),
      ),
    ).toMatchObject([{ id: 'a' }, { id: 'b' }])
  })
  it('says why when there is nothing to add to', () => {
    expect(() => append('responses', '{"model":"m"}', answer)).toThrow(/no list “input”/)
  })
})
