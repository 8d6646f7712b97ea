/** What the official SDKs have in common, so that one table of tests drives them all. */
import type { ProviderType } from '../../../shared/config/schema.ts'

export interface Picture {
  mediaType: 'image/png'
  base64: string
}

export interface SdkTool {
  name: string
  description: string
  /** JSON schema of an object */
  parameters: Readonly<Record<string, unknown>>
}

export interface SdkCall {
  id: string
  name: string
  input: unknown
}

export interface SdkResult {
  call: SdkCall
  text: string
  isError?: boolean
  picture?: Picture
}

export interface AskOptions {
  stream: boolean
  tools?: readonly SdkTool[]
  /** the answer must be JSON of this schema */
  schema?: Readonly<Record<string, unknown>>
  /** the model is asked to think, and to show it */
  thinking?: boolean
  stop?: readonly string[]
  maxTokens?: number
  /** told each piece of text as it comes, when streaming */
  onText?(piece: string): void
}

export type SdkFinish = 'stop' | 'tool-calls' | 'length' | 'content-filter'

export interface SdkUsage {
  /** cached input included */
  input: number
  cachedInput: number
  /** reasoning included */
  output: number
  /** null where the SDK or its protocol has no place for it */
  reasoning: number | null
}

export interface SdkReply {
  text: string
  thinking: string
  calls: readonly SdkCall[]
  finish: SdkFinish
  usage: SdkUsage
}

/** One conversation, kept as that SDK's users keep it: what the model said goes back as the SDK gave it. */
export interface Talk {
  user(text: string, picture?: Picture): void
  results(results: readonly SdkResult[]): void
  /** rejects with the SDK's own error */
  ask(options: AskOptions): Promise<SdkReply>
}

export interface TalkSettings {
  baseUrl: string
  key: string
  model: string
  system?: string
  fetch?: typeof fetch
}

/** An error as the SDK's users see it. */
export interface SdkFailure {
  /** name of the SDK's class for this kind of error */
  kind: string
  status: number | null
  message: string
  /** null where the SDK keeps no headers */
  retryAfter: string | null
}

export interface SdkClient {
  name: string
  /** the protocol it speaks, as the provider type of the same */
  speaks: Exclude<ProviderType, 'simulator'>
  /** what its protocol or the SDK has no words for */
  lacks: readonly Lack[]
  /** the classes it throws, by status; one that is not here is `otherwise` */
  kinds: { readonly [status: number]: string; otherwise: string }
  talk(settings: TalkSettings): Talk
  /** null: not an error of this SDK */
  failure(error: unknown): SdkFailure | null
}

/** `seals`: signatures and encrypted reasoning of other protocols don't come back. */
export type Lack = 'stop' | 'result-picture' | 'result-error' | 'retry-after' | 'seals'
