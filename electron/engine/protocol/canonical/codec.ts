/** Everything that conversion needs of a wire protocol: one implementation in each `<protocol>/convert/`. */
import type { Frame } from '../answer/frame.ts'
import { type JsonObject, asObject } from '../values.ts'
import type { AnswerEvent, Emit } from './answer.ts'
import type { CanonicalRequest, WireProtocol, Effort, Message } from './request.ts'

/** The parts of a request beside its body. */
export interface RequestPlace {
  /** path and query, as the client asked; Gemini names model and streaming in it */
  path: string
}

export interface Written {
  /** path and query below the provider's root, e.g. `/v1/chat/completions` */
  path: string
  body: JsonObject
  /** what this protocol can't say, by the members' own names in this protocol or in the canonical turn; each once */
  dropped: readonly string[]
}

export interface WriteTarget {
  model: string
  /** the model's own limit, where the config knows it (Messages demands a limit) */
  maxOutput: number | null
  /** the model refused the history because thinking is missing in it */
  thinkingOff?: true
}

/**
 * Reads a provider's stream, one event after the other. Never throws for what a provider sends: that is an `error`
 * event.
 */
export interface StreamReader {
  event(frame: Frame): void
  /** true once only counts, sources and the protocol's last word are missing; absent: the finish comes with them */
  whole?(): boolean
  /**
   * The body ended. Emits `error` when the answer was not whole; a protocol whose end is the connection's end emits
   * `finish`.
   */
  end(): void
}

export interface ReadContext {
  emit: Emit
  /** something of the answer has no place in the canonical one: recorded by this name */
  dropped(name: string): void
  /**
   * The provider said something that no block holds: recorded by `name`, and named to the client once as `label`
   * ("image") in a short visible note. `aside`: what only led to the answer (a search the vendor ran) is named where
   * the answer says nothing else.
   */
  unshown(name: string, label: string, how?: 'aside'): void
  /** sources become a list after the text: they need no block that they belong to */
  listsSources?: boolean
  /** an id of our own, where the provider gives a call none; `prefix` e.g. `call_` */
  newId(prefix: string): string
}

export interface WriteContext {
  /** the model the client asked for: what the answer says unless the provider names another */
  model: string
  /** the client's request in canonical form, with Onward's own edits in it */
  request: CanonicalRequest
  /**
   * Responses: the members of the client's own request that its answer repeats, before anything was changed in them;
   * absent: made of `request`
   */
  asked?: JsonObject
  /** milliseconds since 1970, of the answer's beginning */
  nowMs: number
  newId(prefix: string): string
  dropped(name: string): void
  /** called with the whole final object, by a protocol that makes one (Responses) */
  final?(body: JsonObject): void
}

/** Writes an answer as the client's protocol streams it. */
export interface StreamWriter {
  /** the bytes this event becomes, as text; empty when there is nothing to send yet */
  write(event: AnswerEvent): string
}

/** Collects an answer into one JSON body. */
export interface BodyWriter {
  add(event: AnswerEvent): void
  /** call after `finish` */
  body(): JsonObject
}

export interface ConversionCodec {
  readonly protocol: WireProtocol
  /** can say custom (freeform) tools itself; otherwise they come wrapped as functions of one string */
  readonly customTools: boolean
  /** can group tools in namespaces itself; otherwise names come joined */
  readonly namespaces: boolean
  /** may several tool calls be open at once in its stream? otherwise events come one block after the other */
  readonly interleaves: boolean
  /** what a tool's name may look like; others come mapped */
  readonly toolName: RegExp
  /** true if a model of this name can search the web itself, for this request */
  takesSearch(model: string, request: CanonicalRequest): boolean
  /** @throws OnwardError `bad-request` (400) with the member's path where a shape is impossible to understand */
  readRequest(body: JsonObject, place: RequestPlace): CanonicalRequest
  writeRequest(request: CanonicalRequest, target: WriteTarget): Written
  readStream(context: ReadContext): StreamReader
  /** a whole JSON answer */
  readBody(body: JsonObject, context: ReadContext): void
  /** a whole JSON answer that is a list of what a stream would bring, where a protocol has that form */
  readList?(chunks: readonly JsonObject[], context: ReadContext): void
  /** what a provider says in an error body (status >= 400) or an error event */
  readError(body: JsonObject): { code: string | null; message: string | null }
  writeStream(context: WriteContext): StreamWriter
  writeBody(context: WriteContext): BodyWriter
}

/** The effort that comes near a number of thinking tokens, for protocols that know words only. */
export function effortOfBudget(budget: number): Effort {
  if (budget <= 0) return 'none'
  if (budget <= 4_096) return 'low'
  return budget <= 16_384 ? 'medium' : 'high'
}

/** Words an unknown type or member, `gateway:datetime` or `skyMap`, as a person would read it. */
export const inWords = (name: string, otherwise: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[^a-zA-Z]+/g, ' ')
    .trim()
    .toLowerCase() || otherwise

const head = /^data:([^;,]*)((?:;[^;,]*)*),/i

/** A base64 data URL taken apart, null for anything else. The data is a slice, not a copy. */
export function parseDataUrl(url: string): { mediaType: string; base64: string } | null {
  if (!url.startsWith('data:')) return null
  const found = head.exec(url.slice(0, 256))
  if (!found || !/;base64$/i.test(found[2] ?? '')) return null
  return { mediaType: found[1] ?? '', base64: url.slice(found[0].length) }
}

export const dataUrl = (mediaType: string, base64: string): string => `data:${mediaType};base64,${base64}`

type AnswerPart = Extract<Message, { role: 'assistant' }>['parts'][number]

/**
 * Adds a piece of the model's words. Some clients keep a stream as one part for each piece of it: neighbours of a kind
 * are one text, as the vendors' SDKs read them, up to a cache mark.
 */
export function addPiece(parts: AnswerPart[], piece: AnswerPart): void {
  const last = parts.at(-1)
  if (piece.type === 'text' && last?.type === 'text' && !last.cache && last.phase === piece.phase)
    parts[parts.length - 1] = { ...piece, text: last.text + piece.text }
  else parts.push(piece)
}

/** Members that a reader understands, or that say nothing which an answer in another protocol would miss. */
export type KnownMembers = ReadonlySet<string>

/** Null, false, an empty text, list or object stand for the member's absence. */
export function saysSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false
  if (typeof value !== 'object') return true
  for (const _ in value) return true
  return false
}

/**
 * Records every member of an object that is not among the known ones and says something, by `path` and its name. It is
 * one look-up per member beside the parsing of its JSON, so it may stand on the way of every delta.
 */
export function noteMembers(
  object: JsonObject,
  known: KnownMembers,
  path: string,
  dropped: (name: string) => void,
): void {
  for (const name in object) if (!known.has(name) && saysSomething(object[name])) dropped(path + name)
}

/** The same of a member that is an object itself; nothing is recorded of anything else. */
export function noteMembersOf(
  value: unknown,
  known: KnownMembers,
  path: string,
  dropped: (name: string) => void,
): void {
  const object = asObject(value)
  if (object) noteMembers(object, known, path, dropped)
}

/** True if an answer's `service_tier` says something: an answer without the member got the plain one. */
export const isSpecialTier = (tier: unknown): boolean =>
  saysSomething(tier) && tier !== 'default' && tier !== 'auto' && tier !== 'standard'
