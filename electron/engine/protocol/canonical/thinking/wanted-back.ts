import { asList, asObjects, type JsonObject } from '../../values.ts'

/**
 * Models that refuse a history with calls when any answer of it lacks its thinking, whichever model gave that answer:
 * "The `reasoning_content` in the thinking mode must be passed back to the API" (DeepSeek,
 * https://api-docs.deepseek.com/guides/thinking_mode; MiMo,
 * https://platform.xiaomimimo.com/docs/en-US/usage-guide/passing-back-reasoning_content), "thinking is enabled but
 * reasoning_content is missing in assistant tool call message" (Kimi). Older models of the same names don't think, and
 * some servers that run them refuse the member.
 */
const wanting = new RegExp(
  '(?:^|[/:])(?:' +
    [
      'deepseek-(?:v(?:3\\.[12]|[4-9])|chat|reasoner|flash|pro)',
      'kimi-(?:k2[.p][5-9]|k2-thinking|k[3-9]|for-coding|latest)',
      'k2p[5-9]',
      'mimo-v[2-9]',
    ].join('|') +
    ')',
  'i',
)

export const wantsThinkingBack = (model: string): boolean => wanting.test(model)

/**
 * Gemini 3 answers 400 when the first function call of a step of the current turn has no signature. For calls that
 * another model made Google names this value, which its check lets pass
 * (https://ai.google.dev/gemini-api/docs/thought-signatures, questions at the end). It is base64 as it stands.
 */
export const noSignature = 'skip_thought_signature_validator'

/**
 * Stands where a model's own thinking is not known. Not empty: DeepSeek V4 Pro takes that for none
 * (https://github.com/NousResearch/hermes-agent/pull/18263).
 */
const placeholder = ' '
const placeholderBlock = { type: 'thinking', thinking: placeholder, signature: '' }

/** Where Chat's vendors have the thinking of an answer. */
const thinkingMembers = ['reasoning_content', 'reasoning', 'reasoning_text', 'reasoning_details']

/**
 * Chat's messages with a placeholder in every answer that lacks what its model wants back, also before the first call:
 * what was sent once reads the same in later requests. `refused`: the model said so itself, whatever it is called.
 * @returns the same list where nothing is missing
 */
export function placedInChat(messages: readonly JsonObject[], model: string, refused: boolean): readonly JsonObject[] {
  if (!refused && !wantsThinkingBack(model)) return messages
  const isGoogle = /gemini/i.test(model)
  return mapped(messages, (message) => {
    if (message['role'] !== 'assistant') return message
    if (isGoogle) return withSignature(message)
    return thinkingMembers.some((name) => message[name]) ? message : { ...message, reasoning_content: placeholder }
  })
}

/** Google's Chat API has a call's signature beside the function; the first call of a step needs one. */
function withSignature(message: JsonObject): JsonObject {
  const [first, ...more] = asObjects(message['tool_calls'])
  if (!first || first['extra_content']) return message
  const extra = { google: { thought_signature: noSignature } }
  return { ...message, tool_calls: [{ ...first, extra_content: extra }, ...more] }
}

/** The same for Messages. */
export function placedInMessages(messages: readonly JsonObject[], model: string): readonly JsonObject[] {
  if (!wantsThinkingBack(model)) return messages
  return mapped(messages, (message) => {
    if (message['role'] !== 'assistant' || has(message, 'thinking')) return message
    const { content } = message
    const said = typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content)
    return { ...message, content: [placeholderBlock, ...said] }
  })
}

const has = ({ content }: JsonObject, type: string): boolean =>
  asObjects(content).some((block) => block['type'] === type)

function mapped<T>(list: readonly T[], change: (one: T) => T): readonly T[] {
  const after = list.map(change)
  return after.every((one, i) => one === list[i]) ? list : after
}
