import { describe, expect, it } from 'vitest'
import { splice } from '../../json-bytes/index.ts'
import { validateResponsesRequest } from '../../testing/validate-responses.ts'
import { responsesCodec } from '../codec.ts'
import { responsesServerTools as serverTools } from './index.ts'
import { bodyOf, call, eventsOf, message, reasoning, streamOf } from './testing/answers.ts'

const read = (body: unknown) => responsesCodec.read(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
const clock = {
  name: 'clock',
  description: 'Tells the time.',
  parameters: { type: 'object', properties: {}, additionalProperties: false, required: [] },
  strict: true,
}
const declared = JSON.stringify({ type: 'function', ...clock })
const names = new Set(['clock'])

describe('declaring', () => {
  it.each([
    ['no member', '{"model":"m"}', `{"tools":[${declared}],"model":"m"}`],
    ['null', '{"tools": null }', `{"tools": [${declared}] }`],
    ['an empty list', '{"tools":[ ]}', `{"tools":[${declared} ]}`],
    [
      'the client’s own',
      '{"tools":[ {"type":"custom", "name":"a"} ],"x":1.0}',
      `{"tools":[ {"type":"custom", "name":"a"},${declared} ],"x":1.0}`,
    ],
    [
      'those in front of the conversation',
      '{"input":[{"type":"additional_tools","tools":[{"type":"namespace","name":"n","tools":[]}],' +
        '"id":"at"},{"type":"additional_tools","tools":[]},{"role":"user","content":"hi"}]}',
      '{"input":[{"type":"additional_tools","tools":[{"type":"namespace","name":"n","tools":[]},' +
        `${declared}],"id":"at"},{"type":"additional_tools","tools":[]},{"role":"user","content":"hi"}]}`,
    ],
    [
      'an empty list and those',
      '{"tools":[],"input":[{"type":"additional_tools","tools":[]}]}',
      `{"tools":[${declared}],"input":[{"type":"additional_tools","tools":[]}]}`,
    ],
  ])('beside %s', (_, body, expected) => {
    const lens = read(body)
    expect(
      splice(lens.body, serverTools.declare(lens, [clock]))
        .toString()
        .replaceAll(' ', ''),
    ).toBe(expected.replaceAll(' ', ''))
  })

  it('makes a request the API takes', () => {
    const lens = read({ model: 'm', input: 'hi' })
    expect(
      validateResponsesRequest(
        JSON.parse(
          splice(
            lens.body,
            serverTools.declare(lens, [clock, { ...clock, name: 'web_fetch', strict: false }]),
          ).toString(),
        ),
      ),
    ).toEqual([])
  })

  it.each([
    [{ input: 'hi' }, null],
    [{ tools: [], input: [] }, 0],
    [{ tools: [{ type: 'function' }], input: 'additional_tools' }, 1],
    [{ input: [{ role: 'user', content: '"additional_tools"' }] }, null],
    [{ input: [{ type: 'additional_tools', tools: [{ type: 'namespace' }, { type: 'custom' }] }] }, 2],
    [{ tools: [{}], input: [{ type: 'additional_tools', tools: [{}] }] }, 2],
    [{ input: [{ type: 'additional_tools' }] }, null],
  ])('counts those of the client’s: %j', (body, count) => expect(read(body).toolCount()).toBe(count))

  it('knows names of all kinds', () => {
    const tools = [
      { type: 'function', name: 'a' },
      { type: 'function', function: { name: 'b' } },
      { type: 'custom', name: 'c' },
      { type: 'namespace', name: 'd', tools: [{ type: 'function', name: 'e' }] },
      { type: 'web_search_preview' },
      { type: 'local_shell' },
      5,
    ]
    expect(
      serverTools.clientTools(
        read({ tools, input: [{ type: 'tool_search_output', tools: [{ type: 'function', name: 'f' }] }] }),
      ),
    ).toEqual(['a', 'b', 'c', 'd', 'e', 'web_search', 'web_search_preview', 'local_shell', 'f'])
    expect(serverTools.clientTools(read({ input: 'hi' }))).toEqual([])
  })

  it.each([
    [{ input: 'x', tool_choice: 'none' }, null],
    [{ tools: [], prompt: { id: 'p' } }, null],
    [{ background: true }, 'a background response'],
    [{ prompt: { id: 'p' } }, 'a stored prompt with tools of its own'],
    [{ tools: {} }, 'tools is no list'],
  ])('says where it can’t: %j', (body, why) => expect(serverTools.cannotDeclare(read(body))).toBe(why))
})

describe('an answer', () => {
  const items = [
    reasoning('r', 'Hm'),
    message('m', 'Well,'),
    call('a', 'look'),
    call('h', 'clock', '{"z":1}'),
    call('b', 'look'),
  ]
  const stream = { contentType: 'text/event-stream', body: Buffer.from(streamOf(items)) }
  const body = { contentType: 'application/json', body: Buffer.from(JSON.stringify(bodyOf(items))) }
  it.each([
    ['stream', stream],
    ['body', body],
  ])('is read from a %s', (_, answer) => {
    const said = serverTools.readAnswer(answer, read({ input: 'x' }), names)
    expect({ ...said, items: said.items.map(String) }).toEqual({
      items: items.map((item) => JSON.stringify(item)),
      text: 'Well,',
      calls: ['call_a', 'call_b'],
      hidden: [
        { call: { id: 'call_h', name: 'clock', arguments: '{"z":1}' }, json: JSON.stringify(items[3]), callsBefore: 1 },
      ],
    })
  })

  it('that broke off is what came', () => {
    const cut = eventsOf(items).slice(0, -1).join('')
    expect(
      serverTools.readAnswer({ ...stream, body: Buffer.from(cut.slice(0, -9)) }, read({ input: 'x' }), names).hidden
        .length,
    ).toBe(1)
  })

  it.each([
    '',
    '{"output":',
    '[1]',
    '{"output":[null,5,{"type":"function_call","name":"clock"}]}',
    'data: {"type":"response.completed","response":[]}\n\n',
  ])('that is malformed is read as far as it goes: %s', (text) => {
    const said = serverTools.readAnswer(
      { contentType: 'application/json', body: Buffer.from(text) },
      read({ input: 'x' }),
      names,
    )
    expect(said).toMatchObject({ text: '', calls: [] })
    expect(said.hidden.map(({ call: of }) => of)).toEqual(
      text.includes('clock') ? [{ id: '', name: 'clock', arguments: '' }] : [],
    )
  })

  it('says nothing until the model does', () => {
    const says = (events: readonly string[]): boolean => serverTools.hasContent(Buffer.from(events.join('')))
    const echoed = {
      instructions: 'Say {"delta":"x"} of "function_call"',
      tools: [{ type: 'function', name: 'make_call', parameters: {}, strict: true }],
      reasoning: { effort: 'low', summary: null },
    }
    expect(says(eventsOf([], '1', echoed))).toBe(false)
    expect(says(eventsOf([message('m', '')], '1', echoed))).toBe(false)
    for (const item of items) expect(says(eventsOf([item], '1', echoed))).toBe(true)
  })
})

describe('going on', () => {
  const results = [{ call: { id: 'call_h', name: 'clock', arguments: '{}' }, text: 'It’s “noon”', isError: false }]
  const output = '{"type":"function_call_output","call_id":"call_h","output":"It’s “noon”"}'
  it.each([
    ['a text', '{"input":"hi"}', `{"input":[{"role":"user","content":"hi"},${output}]}`],
    ['a list', '{"input":[{"a":1}\n]}', `{"input":[{"a":1},${output}\n]}`],
    [
      'a conversation at the provider',
      '{"conversation":"c","input":[{"a":1}]}',
      `{"conversation":"c","input":[${output}]}`,
    ],
  ])('adds to %s', (_, body, expected) =>
    expect(splice(Buffer.from(body), serverTools.append(read(body), serverTools.resultItems(results))).toString()).toBe(
      expected,
    ),
  )

  it('leaves to a conversation at the provider what it knows', () => {
    expect(
      serverTools.readAnswer(
        { contentType: '', body: Buffer.from(streamOf([call('h', 'clock')])) },
        read({ conversation: 'c', input: 'x' }),
        names,
      ),
    ).toMatchObject({ items: [], hidden: [{ callsBefore: 0 }] })
  })

  it.each([
    ['{"previous_response_id":"r","input":[{"a":1}]}', `{"previous_response_id":"r","input":[${output},{"a":1}]}`],
    [
      '{"previous_response_id":"r","input":"hi"}',
      `{"previous_response_id":"r","input":[${output},{"role":"user","content":"hi"}]}`,
    ],
    ['{"previous_response_id":"r","input":[]}', `{"previous_response_id":"r","input":[${output}]}`],
    ['{"previous_response_id":"r"}', `{"input":[${output}],"previous_response_id":"r"}`],
  ])('puts results in front of a request that names the answer: %s', (body, expected) => {
    const lens = read(body)
    expect(splice(lens.body, serverTools.resultsFor?.(lens, serverTools.resultsBeside(results)) ?? []).toString()).toBe(
      expected,
    )
  })
})
