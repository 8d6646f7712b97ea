import type { OnwardError } from '../base/errors.ts'

/** Transport to an upstream. It knows connections, credentials and time-outs, and nothing of what a payload means. */
export interface UpstreamRequest {
  /** full URL */
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: Buffer | readonly Buffer[] | null
  timeouts: { connectMs: number; firstByteMs: number; idleMs: number }
}

/** Called in order: head, data*, then exactly one of end or error. */
export interface UpstreamHandler {
  onHead(status: number, headers: Record<string, string | string[]>): void
  /** false asks for a pause until `resume` */
  onData(chunk: Buffer): boolean
  onEnd(): void
  /**
   * code: `upstream-unreachable` | `upstream-timeout` | `upstream-silent` | `upstream-broke-off` | `upstream-aborted` |
   * `upstream-protocol`
   */
  onError(error: OnwardError): void
}

export interface UpstreamCall {
  abort(): void
  /**
   * The answer is whole: its handler gets an end, and no more data. What may still come is read for a moment, so that
   * the connection can serve again, then given up.
   */
  dump(): void
  resume(): void
  /** the request is still on its way up. Absent: unknown */
  sending?(): boolean
  /** From now on the answer may be silent for this long; 0: for ever. @returns its longest silence so far */
  mayBeSilent?(ms: number): number
  /** since `mayBeSilent`, or from the beginning */
  longestSilence?(): number
}

export interface Transport {
  send(request: UpstreamRequest, handler: UpstreamHandler): UpstreamCall
  /** Ends every open call with this error, and every later one. */
  endAll?(error: OnwardError): void
  dispose(): Promise<void>
}
