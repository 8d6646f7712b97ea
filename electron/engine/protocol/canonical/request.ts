/**
 * A request in no protocol's words: what conversion reads from one wire protocol and writes in another. Plain data;
 * texts are the client's own strings, never copied or changed. What a member means is the same whatever it came from.
 */
import type { JsonObject } from '../values.ts'

/** The protocols that clients and providers speak. */
export const wireProtocols = ['chat', 'responses', 'messages', 'gemini'] as const
export type WireProtocol = (typeof wireProtocols)[number]

/**
 * Bytes of a provider that only it can read: a signature, encrypted reasoning, a thought signature. Carried through
 * every client and given back to a provider of the same protocol, unchanged; of no use to any other.
 */
export interface Seal {
  of: WireProtocol
  data: string
  /** the provider's own id of the sealed item (Responses `rs_…`) */
  id?: string
  /** all of the thinking is inside (Messages `redacted_thinking`) */
  redacted?: boolean
  /** the exact text it was made for, where a client may hand that back in another form */
  text?: string
  /** it is no thinking but the phase of the text after it, `data` (phases.ts) */
  phase?: PhaseSeal
}

export interface PhaseSeal {
  /** where the text begins in all of the answer's visible text, in UTF-16 units */
  at: number
  /** digest of the visible text in front of it */
  before: string
  /** distinguishes it from others that say the same */
  mark: string
}

export type Source =
  | { kind: 'data'; mediaType: string; base64: string }
  | { kind: 'url'; url: string; mediaType: string | null }
  /** uploaded to a vendor before; only that vendor knows it */
  | { kind: 'id'; of: WireProtocol; id: string; mediaType?: string }

interface Marked {
  /** Messages `cache_control`, as it came */
  cache?: JsonObject
}

export interface TextPart extends Marked {
  type: 'text'
  text: string
  /** of the model's own words: what they are for (phases.ts) */
  phase?: string
}
export interface ImagePart extends Marked {
  type: 'image'
  source: Source
  detail: string | null
}
/** A document; `text` where it came as plain text. */
export interface FilePart extends Marked {
  type: 'file'
  source: Source | { kind: 'text'; text: string; mediaType: string }
  name: string | null
}
export interface AudioPart extends Marked {
  type: 'audio'
  mediaType: string
  base64: string
}
export type ContentPart = TextPart | ImagePart | FilePart | AudioPart

export interface ThinkingPart {
  type: 'thinking'
  text: string
  seal: Seal | null
}
/** The model's words instead of an answer (Chat and Responses `refusal`). */
export interface RefusalPart {
  type: 'refusal'
  text: string
}
export interface ToolCallPart extends Marked {
  type: 'tool-call'
  id: string
  name: string
  /** Responses: the group the tool stands in */
  namespace?: string
  /** JSON as the model wrote it; of a `custom` call the plain text it wrote */
  arguments: string
  custom: boolean
  /** Gemini puts its thought signature on calls */
  seal: Seal | null
}
export interface ToolResultPart extends Marked {
  type: 'tool-result'
  callId: string
  /** the tool's name, where the protocol says it (Gemini) or it was found at the call */
  name: string | null
  parts: readonly ContentPart[]
  isError: boolean
  custom: boolean
}

/** Parts in the order they came. Tool results stand in user messages, wherever a protocol puts them. */
export type Message =
  /** in the middle of a conversation; before it they are `system` of the request */
  | { role: 'system'; parts: readonly TextPart[] }
  | { role: 'user'; parts: readonly (ContentPart | ToolResultPart)[] }
  | { role: 'assistant'; parts: readonly (TextPart | ThinkingPart | RefusalPart | ToolCallPart | ImagePart)[] }

/** The rough place of a search's user. */
export type SearchPlace = Readonly<Partial<Record<'city' | 'region' | 'country' | 'timezone', string>>>

/** A client's wishes for a search of the web that the vendor runs. */
export interface WebSearch {
  /** domains; empty: any */
  allowed: readonly string[]
  blocked: readonly string[]
  maxUses: number | null
  location: SearchPlace | null
  /** how much of what is found the model reads: `low`, `medium`, `high` */
  contextSize: string | null
}

export type Tool =
  /** `namespaceDescription`: what the group is for (Responses); the same on each of its tools */
  | {
      type: 'function'
      name: string
      namespace?: string
      namespaceDescription?: string
      description: string | null
      parameters: JsonObject | null
      strict: boolean | null
      /** said under other rules for schemas than OpenAI's (Gemini VALIDATED, Messages): where the target's allow it */
      strictIfPossible?: true
      cache?: JsonObject
      /** Responses: the client itself searches the tools that it declares later */
      searches?: true
    }
  /** takes one free text; `format` as the client gave it (a grammar, for one) */
  | {
      type: 'custom'
      name: string
      namespace?: string
      namespaceDescription?: string
      description: string | null
      format: JsonObject | null
    }
  /**
   * run by the vendor itself: web search, code execution. `kind` is its wire type; `search`: the web search that other
   * vendors have as well
   */
  | { type: 'native'; of: WireProtocol; kind: string; raw: JsonObject; search?: WebSearch | null }

export type ToolChoice =
  | { type: 'auto' | 'none' | 'any' }
  /** the vendor's own search of the web must be used */
  | { type: 'search' }
  | { type: 'tool'; name: string }
  | { type: 'allowed'; mode: 'auto' | 'any'; names: readonly string[] }

export type ResponseFormat =
  | { type: 'json' }
  | {
      type: 'schema'
      name: string | null
      description: string | null
      schema: JsonObject
      strict: boolean | null
      /** the client's protocol holds to every schema: `strict` where the target's rules for schemas allow it */
      strictIfPossible?: true
    }

export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof efforts)[number]

/** How much the model is to think. Both null: it is asked for, and how much is left to the provider. */
export interface Reasoning {
  effort: Effort | null
  /** tokens */
  budget: number | null
  /** what is shown of it: Responses `summary`; `none` hides it */
  summary: 'auto' | 'concise' | 'detailed' | 'none' | null
}

export interface CanonicalRequest {
  model: string
  stream: boolean
  system: readonly TextPart[]
  messages: readonly Message[]
  tools: readonly Tool[]
  toolChoice: ToolChoice | null
  parallelTools: boolean | null
  maxTokens: number | null
  temperature: number | null
  topP: number | null
  topK: number | null
  frequencyPenalty: number | null
  presencePenalty: number | null
  seed: number | null
  /** number of alternatives wanted per token; null: none */
  logprobs: number | null
  stop: readonly string[]
  format: ResponseFormat | null
  verbosity: string | null
  /** null: nothing said */
  reasoning: Reasoning | null
  /** the end user, as the client names them (Chat `user`, Messages `metadata.user_id`) */
  user: string | null
  metadata: Readonly<Record<string, string>> | null
  /** Responses and Chat `prompt_cache_key` */
  cacheKey: string | null
  serviceTier: string | null
  store: boolean | null
  /** Chat `stream_options.include_usage`; other protocols always report usage */
  includeUsage: boolean
  /**
   * Members the reader has no place for, as paths (`logit_bias`, `messages[].name`): dropped, and recorded by these
   * names.
   */
  unread: readonly string[]
}
