/**
 * Everything the pipeline needs of a wire protocol without converting it: to read a few facts of a request's bytes, to
 * change single texts in place, to watch a response go by, and to speak for itself in the client's own shape.
 */
import type { EntryProtocol } from '../../../shared/words.ts'
import type { AnswerForm, Frame } from './answer/frame.ts'
import type { FinishKind } from '../../../shared/events.ts'
import type { Usage } from '../../../shared/cost/usage.ts'
import type { UsageLimit } from './failures/usage-limit.ts'

/** One text of a user message and where its JSON string token stands in the body (quotes included, byte offsets). */
export interface UserText {
  messageIndex: number
  start: number
  end: number
  /** decoded; lone surrogates kept */
  text(): string
}

export interface MessageEnd {
  role: 'user' | 'assistant' | 'tool' | 'other'
  index: number
  /** texts of a user message, tool results excluded; empty for other roles */
  texts: readonly string[]
}

/** A request read lazily from its bytes: nothing is parsed whole, and only what is asked for is read. */
export interface RequestLens {
  readonly protocol: EntryProtocol
  readonly body: Buffer
  readonly model: string | null
  readonly stream: boolean
  /** Gemini's entry streams in two forms; absent: events */
  readonly streamForm?: 'sse' | 'json-array'
  /**
   * every text of every user message, history included, oldest first
   * @param worthALook true for the bytes of a message that is to be walked
   */
  userTexts(worthALook?: (message: Buffer) => boolean): readonly UserText[]
  /**
   * the last message of the request, trailing system/developer items aside; null without messages
   * @param behind true for texts of messages in the user's role that only follow what was said: such messages are set
   *   aside too, when a user's message or tool results stand before them
   */
  lastMessage(behind?: (text: string) => boolean): MessageEnd | null
  /** decoded texts of the first user message (conversation identity of clients that send none) */
  firstUserTexts(): readonly string[]
  /** first `limit` characters of each system/developer text, in order; `leading`: of those before the first message */
  systemTexts(limit: number, leading?: boolean): readonly string[]
  /** number of declared tools; null when the member is absent */
  toolCount(): number | null
  /** a top-level member or a path below one, decoded; undefined when absent */
  value(...path: string[]): unknown
  /** where such a value stands in the body, in bytes; null when absent */
  place(...path: string[]): { start: number; end: number } | null
  /** messages (input items) in the request */
  messageCount(): number
  /** places of all of them, oldest first */
  items(): readonly { start: number; end: number }[]
  /** where long strings stand that are values of any member, in order: start, end, start, … */
  longStrings(): readonly number[]
  /**
   * places of what the model is to answer: the last user message, or the tool results at the end; system items and a
   * begun answer after it aside
   */
  asked(): readonly { start: number; end: number }[]
  /**
   * changes when the messages before the last user message change (of long ones: their length, beginning or end);
   * detects retries
   */
  historyDigest(): string
  /** what a provider's prompt cache goes by, in its order; its cache marks are no part of it */
  prefixDigest(): PrefixDigest
}

export type CacheKeep = 'minutes' | 'hour' | 'day'

/** Sums over the parts of a request; cheap to keep, and equal where the bytes are. */
export interface PrefixDigest {
  tools: number
  /** system text beside the messages, and messages of the system's before the first other */
  system: number
  /**
   * messages after those, in order; 0: one with a cache mark, whose form may change when the mark moves on: not
   * comparable
   */
  messages: Uint32Array
  /** messages of the system's before them */
  leading: number
  /**
   * how long the request asks its cache to be kept: Anthropic's marks, of several the shortest, or OpenAI's
   * `prompt_cache_retention`; null: it does not say
   */
  keep: CacheKeep | null
}

/** A request's demands on a model. Each is read once, when it is first asked for; none of them ever throws. */
export interface RequestNeeds {
  /** input tokens, estimated from bytes */
  tokens(): number
  /** in what the model is to answer */
  image(): boolean
  /** a web search that the vendor runs */
  webSearch(): boolean
  thinking(): boolean
  /**
   * set when only a provider of the client's protocol can answer, so that nothing can be converted: it keeps the
   * conversation, or compacts it, or stores the prompt that is all the request has; absent: never
   */
  bound?(): Bound | null
  /** models that the request names beside its own, for its provider to choose from */
  otherModels?(): readonly string[]
}

export type Bound = 'thread' | 'compaction' | 'prompt'

export interface ResponseSummary {
  finish: FinishKind
  /** its own terminal event or whole JSON body was seen */
  complete: boolean
  usage: Usage | null
  responseId: string | null
  model: string | null
  toolNames: readonly string[]
  /** last assistant text, its tail bounded to 4 000 characters */
  text: string
  error: { code: string; message: string } | null
}

/**
 * How far an answer has come. `whole`: nothing of it is missing, though counts, sources or the protocol's last word may
 * follow. `over`: that word has come.
 */
export type Progress = 'under-way' | 'whole' | 'over'

/** Watches the frames of a response go by, in constant memory. Never throws. */
export interface ResponseObserver {
  frame(frame: Frame): void
  /** true once the client has all of the answer, or its error */
  readonly ended: boolean
  readonly progress: Progress
  /** an error of the provider went by */
  readonly failed: boolean
  /** what is known of the answer by now */
  readonly seen: Pick<ResponseSummary, 'responseId' | 'model' | 'error'>
  /** call once, when the upstream body ended or broke off */
  finish(brokenOff: boolean): ResponseSummary
}

export interface ErrorEventInput {
  code: string
  message: string
  requestId: string
  sequence: number
  streamForm?: 'sse' | 'json-array'
  /** those of the answer that has begun, as far as it named them */
  responseId: string | null
  model: string | null
  nowMs: number
}

/** A whole answer with one text, without any provider. */
export interface AnswerInput {
  id: string
  model: string
  text: string
  stream: boolean
  streamForm?: 'sse' | 'json-array'
  nowMs: number
  includeUsage?: boolean
  /** the client's request as it came: a response repeats members of it */
  asked?: Buffer
}

/** An error that a client gets as its answer. */
export interface ErrorInput {
  status: number
  code: string
  message: string
  requestId: string
  /** set when the error is a usage limit, and no 429 that passes */
  limit?: UsageLimit | null
}

/** A protocol as the pipeline uses it. One implementation per folder beside this file. */
export interface EntryCodec {
  readonly protocol: EntryProtocol
  /**
   * `path`: path and query, where a protocol says there what is asked for (Gemini: model and streaming).
   * @throws OnwardError `bad-json` | `bad-utf8` | `bad-request` (status 400) with offset and reason
   */
  read(body: Buffer, path?: string): RequestLens
  needs(lens: RequestLens, path?: string): RequestNeeds
  /** the path for another model, of a protocol that names it there */
  pathFor?(path: string, model: string): string
  observe(form: AnswerForm, status: number): ResponseObserver
  /**
   * a whole answer with one text, ending in a plain stop, without any provider; `includeUsage`: Chat's
   * stream_options.include_usage
   */
  answer(input: AnswerInput): { contentType: string; body: Buffer }
  /** an error body in the protocol's own shape */
  error(input: ErrorInput): Buffer
  /** the event that closes every stream of the protocol after its finish; absent: the finish does */
  lastWord?: Buffer
  /** the error that ends a stream that has begun, or is the last element of a list; never a fabricated stop */
  errorEvent(input: ErrorEventInput): Buffer
  /** the word that has to follow a provider's error event; absent: the stream may end with that */
  failedEvent?(input: ErrorEventInput): Buffer
}
