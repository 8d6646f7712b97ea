import { asObject, asObjects, asText, type JsonObject } from '../../values.ts'
import type { CanonicalRequest, Message, WireProtocol } from '../request.ts'

/**
 * How vendors refuse a history that lacks thinking of theirs, or holds what they did not make: Anthropic, DeepSeek and
 * MiMo, Kimi, Google, OpenAI.
 */
const complaints = new RegExp(
  [
    'expected `?thinking`? or',
    'invalid `?(?:signature|data)`? in `?(?:redacted_)?thinking',
    'thinking\\.signature',
    'thinking`? blocks in the latest assistant message cannot',
    '(?:thinking|reasoning).{0,60} must be passed back',
    'reasoning_content.{0,30} missing',
    '(?:requires|must include) reasoning_content',
    'thought[_ ]signature',
    'invalid_encrypted_content',
    "required 'reasoning' item",
    "of type 'reasoning' was provided without its required following item",
    "item with id 'rs_\\w*' not found",
    'each `?thinking`? block must contain',
    'first block must be .?thinking',
  ].join('|'),
  'i',
)

export const complainsOfThinking = (error: string): boolean => complaints.test(error)

/** True for Claude at any vendor: it takes no thinking but its own. */
export const isClaude = (model: string): boolean => /claude/i.test(model)

/**
 * True if a conversation allows no thinking by budget: Anthropic wants the thinking back that led to the calls whose
 * results now come.
 */
export function callsWithoutThinking(messages: readonly JsonObject[]): boolean {
  const [before, last] = messages.slice(-2)
  const first = (message: JsonObject | undefined): string | null => {
    const content = message?.['content']
    return Array.isArray(content) ? asText(asObject(content[0])?.['type']) : null
  }
  if (last?.['role'] !== 'user' || first(last) !== 'tool_result') return false
  const begins = first(before)
  return begins !== 'thinking' && begins !== 'redacted_thinking'
}

/**
 * A request of Messages that does not think: "`clear_thinking_20251015` strategy requires `thinking` to be enabled or
 * adaptive", says Anthropic. `off`: turned off explicitly, for vendors whose models think unless they are told not to.
 */
export function messagesWithoutThinking(body: JsonObject, off: boolean): JsonObject {
  const { thinking: _, context_management: management, ...rest } = body
  const edits = asObjects(asObject(management)?.['edits'])
  const left = edits.filter((edit) => !asText(edit['type'])?.startsWith('clear_thinking'))
  return {
    ...rest,
    ...(off ? { thinking: { type: 'disabled' } } : {}),
    ...(management !== undefined && (left.length > 0 || edits.length === 0)
      ? { context_management: { ...asObject(management), ...(edits.length > 0 ? { edits: left } : {}) } }
      : {}),
  }
}

/** The request for a model that refused its history: without any thinking, and with thinking off where that helps. */
export function withoutThinking(request: CanonicalRequest, to: WireProtocol, model: string): CanonicalRequest {
  // Claude, OpenAI and Google only check what they are given.
  const isOff = (to === 'messages' && !isClaude(model)) || to === 'chat'
  return {
    ...request,
    messages: request.messages.map(unthought),
    ...(isOff ? { reasoning: { effort: 'none', budget: null, summary: null } } : {}),
  }
}

const unthought = (message: Message): Message =>
  message.role === 'assistant'
    ? {
        ...message,
        parts: message.parts.flatMap((part) =>
          part.type === 'thinking' ? [] : [part.type === 'tool-call' ? { ...part, seal: null } : part],
        ),
      }
    : message
