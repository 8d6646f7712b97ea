import { describe, expect, it } from 'vitest'
import type { EntryProtocol } from '../../../../shared/words.ts'
import { imageEdits } from '../images/images.ts'
import { places } from '../images/testing/conversations.ts'
import { codecOf, serverToolCodecOf } from '../index.ts'
import { splice, type Edit } from '../json-bytes/index.ts'
import type { RequestLens } from '../types.ts'
import { pathOf } from './testing/requests.ts'

type Case = [protocol: EntryProtocol, what: string, request: string, behind: string, tagged: string]

const sent = (protocol: EntryProtocol, request: string, how: 'behind' | 'tagged'): string => {
  const serverTools = serverToolCodecOf(protocol)
  const lens = codecOf(protocol).read(Buffer.from(request), pathOf(protocol))
  return splice(
    lens.body,
    how === 'behind'
      ? serverTools.appendAfterLast(lens, [serverTools.userItem('A'), serverTools.userItem('B')])
      : serverTools.appendTimeTag(lens, 'T'),
  ).toString()
}
const user = (text: string) => `{"role":"user","content":"${text}"}`
const gemini = (text: string) => `{"role":"user","parts":[{"text":"${text}"}]}`
const ab = `${user('A')},${user('B')}`
const geminiAb = `${gemini('A')},${gemini('B')}`
const hi = user('Hi')
const same = (protocol: EntryProtocol, what: string, request: string): Case => [
  protocol,
  what,
  request,
  request,
  request,
]
/** neighbours of the list, whose bytes stay */
const chat = (list: string, more = '') => `{ "model":"m"${more}, "messages" : [${list}] , "n":1.0}`
const responses = (input: string, more = '') => `{"model":"m"${more}, "input": ${input} , "store":false}`
const messages = (list: string, more = '') => `{"model":"m", "messages":[ ${list} ] ${more}}`
const call = '{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}'
const output = '{"type":"function_call_output","call_id":"c","output":"x"}'
const chatCall =
  '{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}'
const toolUse = '{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]}'
const toolResult = '{ "type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"x"}] }'
const system = '{"role":"system","content":"S"}'

const cases: Case[] = [
  ['chat', 'a list', chat(`${hi}\n`), chat(`${hi},${ab}\n`), chat(`${hi},${user('T')}\n`)],
  [
    'chat',
    'results',
    chat(`${hi},${chatCall},{"role":"tool","tool_call_id":"c","content":"x"}`),
    chat(`${hi},${chatCall},{"role":"tool","tool_call_id":"c","content":"x"},${ab}`),
    chat(`${hi},${chatCall},{"role":"tool","tool_call_id":"c","content":"x"},${user('T')}`),
  ],
  [
    'chat',
    'a system message at the end',
    chat(`${hi},${system}`),
    chat(`${hi},${system},${ab}`),
    chat(`${hi},${system},${user('T')}`),
  ],
  ['chat', 'an empty list', chat(''), chat(ab), chat('')],
  same('chat', 'a begun answer', chat(`${hi},{"role":"assistant","content":"I"}`)),
  same('chat', 'a begun answer and a system message', chat(`${hi},{"role":"assistant","content":"I"},${system}`)),
  same('chat', 'no list', '{"model":"m"}'),
  same(
    'chat',
    "results of a model of Mistral's",
    `{"model":"mistralai/devstral-2","messages":[${hi},${chatCall},{"role":"tool","tool_call_id":"c","content":"x"}]}`,
  ),
  [
    'chat',
    "words to a model of Mistral's",
    `{"model":"devstral-2","messages":[${hi}]}`,
    `{"model":"devstral-2","messages":[${hi},${ab}]}`,
    `{"model":"devstral-2","messages":[${hi},${user('T')}]}`,
  ],

  ['responses', 'a list', responses(`[ ${hi} ]`), responses(`[ ${hi},${ab} ]`), responses(`[ ${hi},${user('T')} ]`)],
  [
    'responses',
    'a bare text',
    responses('"H\\u0069"'),
    responses(`[{"role":"user","content":"H\\u0069"},${ab}]`),
    responses(`[{"role":"user","content":"H\\u0069"},${user('T')}]`),
  ],
  ['responses', 'an empty list', responses('[]'), responses(`[${ab}]`), responses('[]')],
  same('responses', 'no input', '{"model":"m"}'),
  [
    'responses',
    'outputs',
    responses(`[${hi},${call},${output}]`),
    responses(`[${hi},${call},${output},${ab}]`),
    responses(`[${hi},${call},${output},${user('T')}]`),
  ],
  [
    'responses',
    "outputs alone, the calls being the provider's",
    responses(`[${output}]`, ',"previous_response_id":"resp_1"'),
    responses(`[${output},${ab}]`, ',"previous_response_id":"resp_1"'),
    responses(`[${output},${user('T')}]`, ',"previous_response_id":"resp_1"'),
  ],
  [
    'responses',
    "a conversation of the provider's",
    responses(`[${hi}]`, ',"conversation":"conv_1"'),
    responses(`[${hi},${ab}]`, ',"conversation":"conv_1"'),
    responses(`[${hi},${user('T')}]`, ',"conversation":"conv_1"'),
  ],
  [
    'responses',
    'a developer message at the end',
    responses(`[${hi},{"role":"developer","content":"D"}]`),
    responses(`[${hi},{"role":"developer","content":"D"},${ab}]`),
    responses(`[${hi},{"role":"developer","content":"D"},${user('T')}]`),
  ],
  same('responses', 'a begun answer', responses(`[${hi},{"role":"assistant","content":"I"}]`)),
  same('responses', 'a call without its output', responses(`[${hi},${call}]`)),
  same('responses', 'thoughts at the end', responses(`[${hi},{"type":"reasoning","summary":[]}]`)),
  same('responses', 'a reference at the end', responses(`[${hi},{"type":"item_reference","id":"msg_1"}]`)),
  same(
    'responses',
    "a list of a server's tools at the end",
    responses(`[${hi},{"type":"mcp_list_tools","server_label":"s","tools":[]}]`),
  ),
  same('responses', 'what asks for compaction', responses(`[${hi},{"type":"compaction_trigger"}]`)),

  [
    'messages',
    'a bare text, which becomes a block',
    messages(hi),
    messages(`${hi},${ab}`),
    messages(hi.replace(/"content":("[^"]*")/, '"content":[{"type":"text","text":$1},{"type":"text","text":"T"}]')),
  ],
  [
    'messages',
    'blocks',
    messages('{"role":"user","content":[{"type":"text","text":"Hi","cache_control":{"type":"ephemeral"}} ]}'),
    messages(`{"role":"user","content":[{"type":"text","text":"Hi","cache_control":{"type":"ephemeral"}} ]},${ab}`),
    messages(
      '{"role":"user","content":[{"type":"text","text":"Hi",' +
        '"cache_control":{"type":"ephemeral"}},{"type":"text","text":"T"} ]}',
    ),
  ],
  [
    'messages',
    'results',
    messages(`${hi},${toolUse},{"content":[${toolResult}],"role":"user"}`),
    messages(`${hi},${toolUse},{"content":[${toolResult}],"role":"user"},${ab}`),
    messages(`${hi},${toolUse},{"content":[${toolResult},{"type":"text","text":"T"}],"role":"user"}`),
  ],
  [
    'messages',
    'a message of nothing',
    messages('{"role":"user","content":[]}'),
    messages(`{"role":"user","content":[]},${ab}`),
    messages(`{"role":"user","content":[]},${user('T')}`),
  ],
  ['messages', 'an empty list', messages(''), messages('').replace('[', `[${ab}`), messages('')],
  [
    'messages',
    'options at the end',
    messages(`${hi},{"role":"system","content":[],"output_config":{}}`),
    messages(`${hi},{"role":"system","content":[],"output_config":{}},${ab}`),
    messages(`${hi},{"role":"system","content":[],"output_config":{}},${user('T')}`),
  ],
  same('messages', 'a system message at the end, which must stay there', messages(`${hi},${system}`)),
  same(
    'messages',
    'a system block at the end, which must stay there',
    messages('{"role":"user","content":[{"type":"text","text":"Hi"},{"type":"mid_conv_system","content":"S"}]}'),
  ),
  same('messages', 'a begun answer', messages(`${hi},{"role":"assistant","content":"{"}`)),
  same(
    'messages',
    'a turn to go on with',
    messages(
      `${hi},{"role":"assistant","content":[{"type":"server_tool_use","id":"s","name":"web_search","input":{}}]}`,
    ),
  ),

  [
    'gemini',
    'a list',
    `{"contents":[${gemini('Hi')}\n]}`,
    `{"contents":[${gemini('Hi')},${geminiAb}\n]}`,
    '{"contents":[{"role":"user","parts":[{"text":"Hi"},{"text":"T"}]}\n]}',
  ],
  [
    'gemini',
    'one content',
    '{"contents": {"parts": {"text":"Hi"} } }',
    `{"contents": [{"parts": {"text":"Hi"} },${geminiAb}] }`,
    '{"contents": {"parts": [{"text":"Hi"},{"text":"T"}] } }',
  ],
  [
    'gemini',
    'a content without parts',
    '{"contents":[{"role":"user"}]}',
    `{"contents":[{"role":"user"},${geminiAb}]}`,
    `{"contents":[{"role":"user"},${gemini('T')}]}`,
  ],
  [
    'gemini',
    'results',
    '{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}}]}]}',
    `{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}}]},${geminiAb}]}`,
    '{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}},{"text":"T"}]}]}',
  ],
  [
    'gemini',
    'results as they were once sent',
    '{"contents":[{"role":"function","parts":[{"functionResponse":{"name":"f","response":{}}}]}]}',
    `{"contents":[{"role":"function","parts":[{"functionResponse":{"name":"f","response":{}}}]},${geminiAb}]}`,
    `{"contents":[{"role":"function","parts":[{"functionResponse":{"name":"f","response":{}}}]},${gemini('T')}]}`,
  ],
  [
    'gemini',
    'a request to be counted',
    `{"generateContentRequest":{"contents":[${gemini('Hi')}]}}`,
    `{"generateContentRequest":{"contents":[${gemini('Hi')},${geminiAb}]}}`,
    '{"generateContentRequest":{"contents":[{"role":"user","parts":[{"text":"Hi"},{"text":"T"}]}]}}',
  ],
  ['gemini', 'an empty list', '{"contents":[]}', `{"contents":[${geminiAb}]}`, '{"contents":[]}'],
  same('gemini', 'a begun answer', `{"contents":[${gemini('Hi')},{"role":"model","parts":[{"text":"I"}]}]}`),
  same('gemini', 'no contents', '{}'),
  same('gemini', "a bare text, which is none of Google's forms", '{"contents":"Hi"}'),
]

describe('behind a request', () => {
  it.each(cases)('%s: %s', (protocol, _, request, behind) => expect(sent(protocol, request, 'behind')).toBe(behind))
  it.each(cases)('%s: the time tag behind %s', (protocol, _, request, __, tagged) =>
    expect(sent(protocol, request, 'tagged')).toBe(tagged),
  )
  it.each<EntryProtocol>(['chat', 'responses', 'messages', 'gemini'])(
    '%s: nothing is put there by no items',
    (protocol) => {
      const lens = codecOf(protocol).read(
        Buffer.from(
          protocol === 'gemini'
            ? `{"contents":[${gemini('Hi')}]}`
            : protocol === 'responses'
              ? responses(`[${hi}]`)
              : messages(hi),
        ),
        pathOf(protocol),
      )
      expect(serverToolCodecOf(protocol).appendAfterLast(lens, [])).toEqual([])
    },
  )
})

/** Edits of the client's own words, whichever they are. */
const reworded = (lens: RequestLens): Edit[] =>
  lens.userTexts().map(({ start, end }) => ({ start, end, replacement: '"other words"' }))

describe('beside other edits of the same bytes', () => {
  function holds(
    protocol: EntryProtocol,
    request: string,
    edit: (lens: RequestLens) => Edit[],
    order: 'any' | 'last',
  ): void {
    const { appendAfterLast, appendTimeTag, userItem } = serverToolCodecOf(protocol)
    const lens = codecOf(protocol).read(Buffer.from(request), pathOf(protocol))
    const edited = codecOf(protocol).read(splice(lens.body, edit(lens)), pathOf(protocol))
    expect(edited.body.equals(lens.body)).toBe(false)
    for (const add of [
      (one: RequestLens) => appendAfterLast(one, [userItem('A')]),
      (one: RequestLens) => appendTimeTag(one, 'T'),
    ]) {
      const expected = splice(edited.body, add(edited)).toString()
      expect(splice(lens.body, [...edit(lens), ...add(lens)]).toString()).toBe(expected)
      if (order === 'any') expect(splice(lens.body, [...add(lens), ...edit(lens)]).toString()).toBe(expected)
    }
  }
  // Some descriptions are inserts at the very end too, and what is to be last has to come after them.
  it.each(places)('$protocol: descriptions in the place of images: $name', ({ protocol, request, image }) =>
    holds(protocol, request(image), (lens) => imageEdits(lens, () => 'A cat.'), 'last'),
  )
  it.each<[EntryProtocol, string]>([
    ['responses', responses('"Hi"')],
    ['gemini', '{"contents":{"parts":{"text":"Hi"}}}'],
    ['messages', messages(hi)],
    ['chat', chat(hi)],
  ])("%s: other words in the user's message", (protocol, request) => holds(protocol, request, reworded, 'any'))
})

describe('the time tag and cache marks that move', () => {
  const automatic = ',"cache_control":{"type":"ephemeral"}'
  const explicit = ',"prompt_cache_options":{"mode":"explicit"}'
  it.each<[EntryProtocol, string, string, boolean]>([
    ['messages', 'automatic caching', `{"model":"m","messages":[${hi}]${automatic}}`, false],
    ['messages', 'none asked for', `{"model":"m","messages":[${hi}],"cache_control":null}`, true],
    ['chat', 'automatic caching', chat(hi, automatic), false],
    ['responses', 'automatic caching', responses(`[${hi}]`, automatic), false],
    [
      'chat',
      'points at the last message',
      chat(
        hi,
        ',"cache_control_injection_points":[{"location":"message","role":"system"},{"location":"message","index":-1}]',
      ),
      false,
    ],
    [
      'chat',
      'points at every message of the user',
      chat(hi, ',"cache_control_injection_points":[{"location":"message","role":"user"}]'),
      false,
    ],
    [
      'chat',
      'points at the system message',
      chat(
        hi,
        ',"cache_control_injection_points":[{"location":"message","role":"system"},' +
          '{"location":"tool_config"},{"location":"message","index":0}]',
      ),
      true,
    ],
    ['chat', 'a model that marks the latest message', chat(hi).replace('"m"', '"gpt-5.6"'), false],
    ['responses', 'a model that marks the latest message', responses(`[${hi}]`).replace('"m"', '"gpt-6.1-sol"'), false],
    ['responses', 'one that is told not to', responses(`[${hi}]`, explicit).replace('"m"', '"gpt-5.6-terra"'), true],
    [
      'responses',
      'one that keeps what it was sent',
      responses(`[${hi}]`, ',"previous_response_id":"resp_1"').replace('"m"', '"gpt-5.6"'),
      true,
    ],
    ['responses', 'one before it', responses(`[${hi}]`).replace('"m"', '"gpt-5.5"'), true],
    ['gemini', 'a cache with a name', `{"contents":[${gemini('Hi')}],"cachedContent":"cachedContents/a"}`, true],
  ])('%s: %s', (protocol, _, request, stands) => {
    expect(sent(protocol, request, 'tagged') !== request).toBe(stands)
    // A reminder stays in later requests, so no cache mark rules it out.
    expect(sent(protocol, request, 'behind')).not.toBe(request)
  })
})
