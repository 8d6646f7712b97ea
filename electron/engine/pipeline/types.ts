import type { EntryProtocol, RequestKind } from '../../../shared/words.ts'
import type { Caller, FindProcess } from '../sessions/types.ts'

/** One client request from the gateway: authenticated, read whole, not yet interpreted. */
export interface ClientCall {
  requestId: string
  entry: EntryProtocol
  endpoint: 'generate' | 'count' | 'compact'
  method: 'GET' | 'POST'
  /** path and query below the entry's root, without any `/t/<key>` prefix, e.g. `/v1/messages?beta=true` */
  path: string
  /** lower-case names, as received, credentials included: the pipeline filters before anything goes upstream */
  headers: Readonly<Record<string, string>>
  caller: Caller
  callingProcess: FindProcess | null
  body: Buffer
  /**
   * The body is no longer needed: its place is free for another's. `memory`: its bytes, if they have no reader left.
   */
  bodyReleased?(memory?: Buffer): void
  /** monotonic milliseconds (Clock.monotonic) */
  receivedAt: number
  reply: Reply
  /** a call of the engine itself: it has no client, session or terminal */
  internal?: {
    kind: RequestKind
    withinMs: number
    /** the session it is about; it is no call of that session's */
    about?: string
  }
  /** a person tests the provider the model names (RouteAsk.test) */
  test?: { key: string | null }
}

/** The client's response. Backpressure and leaving are visible; nothing is buffered here. */
export interface Reply {
  head(status: number, headers: Record<string, string | string[]>): void
  /** false: wait for `onDrain` */
  write(chunk: Uint8Array): boolean
  end(chunk?: Uint8Array): void
  /** closes the connection without a proper end, so that the client does not take half an answer for a whole one */
  abort(): void
  readonly headSent: boolean
  /** everything was handed to the operating system */
  readonly finished: boolean
  /** the client is gone */
  readonly left: boolean
  onDrain(listener: () => void): void
  /** called once, when the connection closes, finished or not */
  onClose(listener: () => void): void
}

export type RunTurn = (call: ClientCall) => Promise<void>
