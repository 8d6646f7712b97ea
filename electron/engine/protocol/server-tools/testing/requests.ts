import fc from 'fast-check'
import type { EntryProtocol } from '../../../../../shared/words.ts'
import type { JsonObject } from '../../values.ts'

export const protocols: readonly EntryProtocol[] = ['chat', 'responses', 'messages', 'gemini']
export const listOf: Readonly<Record<EntryProtocol, 'messages' | 'input' | 'contents'>> = {
  chat: 'messages',
  responses: 'input',
  messages: 'messages',
  gemini: 'contents',
}

/** One exchange as any client would keep it: the question, calls with their results, the answer. */
export interface Exchange {
  asks: string
  bare: boolean
  calls: number
  answers: string
}

const texts = fc
  .string({
    unit: fc.constantFrom('a', '"', '\\', ' ', '\n', '世', '{', '[', ',', '👋', '\u2028'),
    minLength: 1,
    maxLength: 8,
  })
  .map((text) => `x${text}`)

export const exchanges: fc.Arbitrary<Exchange[]> = fc.array(
  fc.record({ asks: texts, bare: fc.boolean(), calls: fc.nat(3), answers: texts }),
  { minLength: 1, maxLength: 4 },
)
export const lines = texts
/** The ways clients indent their JSON. */
export const indents = fc.constantFrom(undefined, 1, '\t')

type Items = (
  exchange: Exchange,
  ids: readonly string[],
) => { asked: JsonObject[]; results: JsonObject[]; answer: JsonObject }

const call = (id: string) => ({ name: 'look', arguments: `{"at":"${id}"}` })
const items: Readonly<Record<EntryProtocol, Items>> = {
  chat: ({ asks, bare, answers }, ids) => ({
    asked: [{ role: 'user', content: bare ? asks : [{ type: 'text', text: asks }] }],
    results:
      ids.length === 0
        ? []
        : [
            {
              role: 'assistant',
              content: null,
              tool_calls: ids.map((id) => ({ id, type: 'function', function: call(id) })),
            },
            ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: `seen ${id}` })),
          ],
    answer: { role: 'assistant', content: answers },
  }),
  responses: ({ asks, bare, answers }, ids) => ({
    asked: [
      bare
        ? { role: 'user', content: asks }
        : { type: 'message', role: 'user', content: [{ type: 'input_text', text: asks }] },
    ],
    results: [
      ...ids.map((id) => ({ type: 'function_call', call_id: id, ...call(id) })),
      ...ids.map((id) => ({ type: 'function_call_output', call_id: id, output: `seen ${id}` })),
    ],
    answer: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answers }] },
  }),
  messages: ({ asks, bare, answers }, ids) => ({
    asked: [
      { role: 'user', content: bare ? asks : [{ type: 'text', text: asks, cache_control: { type: 'ephemeral' } }] },
    ],
    results:
      ids.length === 0
        ? []
        : [
            {
              role: 'assistant',
              content: ids.map((id) => ({ type: 'tool_use', id, name: 'look', input: { at: id } })),
            },
            {
              role: 'user',
              content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: `seen ${id}` })),
            },
          ],
    answer: { role: 'assistant', content: [{ type: 'text', text: answers }] },
  }),
  gemini: ({ asks, answers }, ids) => ({
    asked: [{ role: 'user', parts: [{ text: asks }] }],
    results:
      ids.length === 0
        ? []
        : [
            { role: 'model', parts: ids.map((id) => ({ functionCall: { id, name: 'look', args: { at: id } } })) },
            {
              role: 'user',
              parts: ids.map((id) => ({ functionResponse: { id, name: 'look', response: { output: `seen ${id}` } } })),
            },
          ],
    answer: { role: 'model', parts: [{ text: answers }] },
  }),
}

/** A conversation up to where the model is to answer: after the question, or after results if there were calls. */
export function conversation(
  protocol: EntryProtocol,
  all: readonly Exchange[],
): { list: JsonObject[]; answer: JsonObject } {
  const list: JsonObject[] = []
  let answer: JsonObject = {}
  for (const [i, exchange] of all.entries()) {
    const {
      asked,
      results,
      answer: said,
    } = items[protocol](
      exchange,
      Array.from({ length: exchange.calls }, (_, k) => `call_${i}_${k}`),
    )
    list.push(...(i > 0 ? [answer] : []), ...asked, ...results)
    answer = said
  }
  return { list, answer }
}

const tool = {
  name: 'look',
  description: 'Looks',
  parameters: { type: 'object', properties: { at: { type: 'string' } } },
}
const around: Readonly<Record<EntryProtocol, JsonObject>> = {
  chat: { model: 'm', tools: [{ type: 'function', function: tool }] },
  responses: { model: 'm', tools: [{ type: 'function', ...tool, strict: false }] },
  messages: {
    model: 'm',
    max_tokens: 9,
    tools: [{ name: tool.name, description: tool.description, input_schema: tool.parameters }],
  },
  gemini: {
    tools: [
      {
        functionDeclarations: [
          { name: tool.name, description: tool.description, parametersJsonSchema: tool.parameters },
        ],
      },
    ],
  },
}

export const pathOf = (protocol: EntryProtocol): string =>
  protocol === 'gemini' ? '/v1beta/models/m:generateContent' : ''

export const requestOf = (protocol: EntryProtocol, list: readonly JsonObject[], indent?: string | number): Buffer =>
  Buffer.from(JSON.stringify({ ...around[protocol], [listOf[protocol]]: list }, null, indent))
