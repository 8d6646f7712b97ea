import type { JsonObject } from '../values.ts'
import { adaptTools, type AdaptedTools } from './tools/adapt-tools.ts'
import type { Emit } from './answer.ts'
import type { ConversionCodec, WriteTarget } from './codec.ts'
import { withoutPhases, withPhases } from './thinking/phases.ts'
import { lossName } from './loss-names.ts'
import type { CanonicalRequest, ContentPart, Message, Tool, ToolResultPart, WireProtocol } from './request.ts'
import { formatAsAllowed } from './tools/format-schema.ts'
import { searchAsAllowed } from './web-search.ts'
import { withLoneReferences } from './tools/lone-references.ts'
import { withPicturesOfTexts } from './tools/pictures-in-text.ts'
import { strictRules } from './tools/schema-rules.ts'
import { strictAsAllowed } from './tools/strict-schema.ts'
import { uniqueTools } from './tools/unique-tools.ts'
import { isTimeTag } from '../append/time-tag-start.ts'

export interface ConvertedRequest {
  /** path and query below the provider's root */
  path: string
  body: Buffer
  /** the client's request, with its own names */
  request: CanonicalRequest
  /** members the provider's protocol can't express, by the client's own names (`lossName`) */
  dropped: readonly string[]
  tools: AdaptedTools
  restore(emit: Emit): Emit
}

/** Reads a client's request body. @throws OnwardError `bad-request` (400) */
export const readCanonical = (from: ConversionCodec, body: JsonObject, path: string): CanonicalRequest =>
  withPicturesOfTexts(withPhases(from.readRequest(body, { path })))

/** Writes the request in another protocol. `client`: the client's protocol, by whose names losses are recorded. */
export function writeCanonical(
  request: CanonicalRequest,
  to: ConversionCodec,
  target: WriteTarget,
  client?: WireProtocol,
): ConvertedRequest {
  const phased = to.protocol === 'responses' ? { request, dropped: [] } : withoutPhases(request)
  const said = to.protocol === 'chat' ? { request: phased.request, dropped: [] } : saidByUser(phased.request)
  const searched = searchAsAllowed(withLoneReferences(said.request), to, target.model)
  const unique = uniqueTools(searched.request.tools)
  const rules = strictRules[to.protocol]
  const formed = formatAsAllowed(searched.request.format, rules)
  const strict = strictAsAllowed(unique.tools, formed.format, rules)
  const asked = { ...searched.request, tools: strict.tools, format: formed.format }
  const adapted = adaptTools(to.protocol === 'messages' ? withCacheMarks(asked) : asked, to)
  const written = to.writeRequest(adapted.request, target)
  return {
    path: written.path,
    body: Buffer.from(JSON.stringify(written.body)),
    request,
    dropped: [
      ...new Set([
        ...request.unread,
        ...[phased, said, searched, unique, formed, strict, written]
          .flatMap(({ dropped }) => dropped)
          .map((name) => (client ? lossName(name, client) : name)),
      ]),
    ],
    tools: adapted.tools,
    restore: adapted.restore,
  }
}

/**
 * A request of nothing but instructions, said by the user: Google demands `contents`, Anthropic a message of the user,
 * OpenAI an `input` (Chat alone takes a system message by itself). The model reads the same words, and none of ours.
 */
function saidByUser(request: CanonicalRequest): { request: CanonicalRequest; dropped: readonly string[] } {
  const isSaid = request.messages.some(saysAnything)
  const parts = request.system.filter(({ text }) => text.trim() !== '')
  if (isSaid || parts.length === 0) return { request, dropped: [] }
  return { request: { ...request, system: [], messages: [{ role: 'user', parts }] }, dropped: ['messages[].role'] }
}

const saysAnything = ({ parts }: Message): boolean =>
  parts.some((part) => part.type !== 'text' || part.text.trim() !== '')

const mark = { type: 'ephemeral' } as const

/**
 * Anthropic caches a prompt only at marks (its prompt caching guide: at most four, each covers what stands before it).
 * A client of another protocol can't set them; without any an agent would pay for its whole history in every round. One
 * goes to the end of the tools, one to the system texts and one to the conversation, in front of the time tag, which no
 * later request has.
 */
function withCacheMarks(request: CanonicalRequest): CanonicalRequest {
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
