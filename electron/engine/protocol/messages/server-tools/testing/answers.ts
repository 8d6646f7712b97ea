import fc from 'fast-check'
import { typedEvent, type TypedEvent } from '../../../sse/write.ts'
import type { JsonObject } from '../../../values.ts'

/** Names of tools that are Onward's in these tests. */
export const names: ReadonlySet<string> = new Set(['clock', 'web_fetch'])

export const text = (words: string): JsonObject => ({ type: 'text', text: words })
export const thinking = (words: string, signature: string): JsonObject => ({
  type: 'thinking',
  thinking: words,
  signature,
})
export const call = (name: string, id: string, input: JsonObject = {}): JsonObject => ({
  type: 'tool_use',
  id,
  name,
  input,
})

export const isOurs = (block: JsonObject): boolean => block['type'] === 'tool_use' && names.has(String(block['name']))
const isCall = (block: JsonObject): boolean => block['type'] === 'tool_use'
export const reasonOf = (blocks: readonly JsonObject[]): string => (blocks.some(isCall) ? 'tool_use' : 'end_turn')

const usage = { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 4 }

/** Events of an answer with these blocks, one string each. */
export function eventsOfAnswer(
  blocks: readonly JsonObject[],
  options: { id?: string; reason?: string } = {},
): string[] {
  const message = {
    id: options.id ?? 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  }
  return [
    { type: 'message_start', message },
    ...blocks.flatMap(blockEvents),
    { type: 'message_delta', delta: { stop_reason: options.reason ?? reasonOf(blocks), stop_sequence: null }, usage },
    { type: 'message_stop' },
  ].map(typedEvent)
}

function blockEvents(block: JsonObject, index: number): TypedEvent[] {
  const begun = (content_block: JsonObject): TypedEvent => ({ type: 'content_block_start', index, content_block })
  const delta = (more: JsonObject): TypedEvent => ({ type: 'content_block_delta', index, delta: more })
  const inner = (): TypedEvent[] => {
    switch (block['type']) {
      case 'text':
        return [begun({ ...block, text: '' }), delta({ type: 'text_delta', text: block['text'] })]
      case 'thinking':
        return [
          begun({ ...block, thinking: '', signature: '' }),
          delta({ type: 'thinking_delta', thinking: block['thinking'] }),
          delta({ type: 'signature_delta', signature: block['signature'] }),
        ]
      case 'tool_use': {
        const json = JSON.stringify(block['input'])
        return [
          begun({ ...block, input: {} }),
          ...[json.slice(0, 3), json.slice(3)].map((partial_json) => delta({ type: 'input_json_delta', partial_json })),
        ]
      }
      default:
        return [begun(block)]
    }
  }
  return [...inner(), { type: 'content_block_stop', index }]
}

export const bodyOfAnswer = (
  blocks: readonly JsonObject[],
  options: { id?: string; reason?: string } = {},
): JsonObject => ({
  id: options.id ?? 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: blocks,
  stop_reason: options.reason ?? reasonOf(blocks),
  stop_sequence: null,
  usage,
})

/** Texts, some of which name tools where that must have no effect. */
const tricky = ['Hi.', 'Use "clock" and {"type":"tool_use","name":"clock"}.', '世界 \u2028 "q" \\', ' \n', 'A\n\nB']
const words = fc.oneof(fc.constantFrom(...tricky), fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }))

/** Any block of an answer, ids made unique by the caller. */
export const anyBlock: fc.Arbitrary<JsonObject> = fc.oneof(
  words.map(text),
  words.map((said) => thinking(said, 'sig')),
  fc.constant({ type: 'redacted_thinking', data: 'xyz' }),
  fc.constantFrom('clock', 'web_fetch').map((name) => call(name, 'ours', { action: 'get' })),
  words.map((said) => call('Bash', 'theirs', { command: said, tool: 'clock', name: 'clock' })),
  fc.constant({ type: 'server_tool_use', id: 'srv', name: 'web_fetch', input: { url: 'x' } }),
  fc.constant({ type: 'web_fetch_tool_result', tool_use_id: 'srv', content: { type: 'x' } }),
)

/** Blocks of one answer, each with an id of its own. */
export const anyAnswer = fc.array(anyBlock, { maxLength: 7 }).map((blocks) => withOwnIds(blocks, ''))

export const withOwnIds = (blocks: readonly JsonObject[], prefix: string): JsonObject[] =>
  blocks.map((block, i) => ({
    ...block,
    ...('id' in block ? { id: `${String(block['id'])}_${prefix}${i}` } : {}),
    ...('signature' in block ? { signature: `${String(block['signature'])}_${prefix}${i}` } : {}),
    ...('data' in block ? { data: `${String(block['data'])}_${prefix}${i}` } : {}),
    ...('tool_use_id' in block ? { tool_use_id: `${String(block['tool_use_id'])}_${prefix}${i}` } : {}),
  }))
