import { isTimeTag } from '../lens/lens.ts'
import { type JsonObject, asObject } from '../values.ts'
import type { Emit } from './answer.ts'
import type { ConversionCodec, WriteTarget } from './codec.ts'
import { lossName } from './loss-names.ts'
import type { CanonicalRequest, ContentPart, Message, Tool, ToolResultPart, WireProtocol } from './request.ts'
import { withoutPhases, withPhases } from './thinking/phases.ts'
import { adaptTools, type AdaptedTools, uniqueTools } from './tools/adapt-tools.ts'
import { formatAsAllowed, strictAsAllowed } from './tools/format-schema.ts'
import { withPicturesOfTexts } from './carried-texts.ts'
import { strictRules } from './tools/schema-rules.ts'
import { searchAsAllowed } from './web-search.ts'

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

/** The author of the schema names their members. */
const named = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
/** Their values are no schemas. */
const data = new Set(['const', 'default', 'enum', 'example', 'examples'])

/**
 * A reference with other words beside it, as the only one of its alternatives: that says the same, and vendors that
 * take nothing beside `$ref` take it (Gemini: https://ai.google.dev/api/caching#Schema; Anthropic, OpenAI and Moonshot
 * where a schema binds).
 */
function withLoneReferences(request: CanonicalRequest): CanonicalRequest {
  const { format } = request
  return {
    ...request,
    tools: request.tools.map((tool) =>
      tool.type === 'function' && tool.parameters
        ? { ...tool, parameters: asObject(lone(tool.parameters)) ?? tool.parameters }
        : tool,
    ),
    format: format?.type === 'schema' ? { ...format, schema: asObject(lone(format.schema)) ?? format.schema } : format,
  }
}

/** The schema itself where it has no such reference: most have none, and a copy costs more than the look. */
function lone(schema: unknown): unknown {
  if (Array.isArray(schema)) return changed(schema, lone)
  const object = asObject(schema)
  if (!object) return schema
  const said = withMembers(object, (value, name) =>
    data.has(name) ? value : named.has(name) ? eachOf(value) : lone(value),
  )
  if (typeof said['$ref'] !== 'string' || Object.keys(said).every((name) => name.startsWith('$'))) return said
  const { $ref, ...beside } = said
  return beside['anyOf'] === undefined
    ? { ...beside, anyOf: [{ $ref }] }
    : { ...beside, allOf: [...(Array.isArray(beside['allOf']) ? beside['allOf'] : []), { $ref }] }
}

function eachOf(value: unknown): unknown {
  const schemas = asObject(value)
  return schemas ? withMembers(schemas, lone) : value
}

function changed(list: readonly unknown[], change: (value: unknown) => unknown): readonly unknown[] {
  const made = list.map(change)
  return made.every((value, at) => value === list[at]) ? list : made
}

function withMembers(object: JsonObject, change: (value: unknown, name: string) => unknown): JsonObject {
  let made: Record<string, unknown> | null = null
  for (const [name, value] of Object.entries(object)) {
    const now = change(value, name)
    if (now !== value) (made ??= { ...object })[name] = now
  }
  return made ?? object
}
