import { isTimeTag } from '../append/time-tag-start.ts'
import type { CanonicalRequest, ContentPart, Message, Tool, ToolResultPart } from './request.ts'

const mark = { type: 'ephemeral' } as const

/**
 * Anthropic caches a prompt only at marks (its prompt caching guide: at most four, each covers what stands before it).
 * A client of another protocol can't set them; without any an agent would pay for its whole history in every round. One
 * goes to the end of the tools, one to the system texts and one to the conversation, in front of the time tag, which no
 * later request has.
 */
export function withCacheMarks(request: CanonicalRequest): CanonicalRequest {
  if (hasMarks(request)) return request
  return {
    ...request,
    tools: marked(request.tools, isMarkable),
    system: marked(request.system, () => true),
    messages: marked(request.messages, (m) => m.role === 'user' && m.parts.some(isPartMarkable), markMessage),
  }
}

const isMarkable = (tool: Tool): boolean => tool.type === 'function'

const isPartMarkable = (part: ContentPart | ToolResultPart): boolean =>
  part.type !== 'text' || (part.text !== '' && !isTimeTag(part.text))

const withMark = <T extends object>(item: T): T => ({ ...item, cache: mark })

/** Marks the last one that can carry a mark. */
function marked<T extends object>(
  items: readonly T[],
  can: (item: T) => boolean,
  put: (item: T) => T = withMark,
): readonly T[] {
  const at = items.findLastIndex(can)
  return at < 0 ? items : items.map((item, i) => (i === at ? put(item) : item))
}

function markMessage(message: Message): Message {
  if (message.role !== 'user') return message
  const parts: readonly (ContentPart | ToolResultPart)[] = marked(message.parts, isPartMarkable)
  return { ...message, parts }
}

function hasMarks({ system, tools, messages }: CanonicalRequest): boolean {
  const is = (item: object): boolean => 'cache' in item && item.cache !== undefined
  return system.some(is) || tools.some(is) || messages.some((message) => message.parts.some(is))
}
