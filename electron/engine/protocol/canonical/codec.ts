/** Everything that conversion needs of a wire protocol: one implementation in each `<protocol>/convert/`. */
import type { Frame } from '../answer/frame.ts'
import type { JsonObject } from '../values.ts'
import type { AnswerEvent, Emit } from './answer.ts'
import type { CanonicalRequest, WireProtocol } from './request.ts'

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
