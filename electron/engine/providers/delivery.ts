import type { OnwardError } from '../base/errors.ts'
import type { Mutable } from '../base/mutable.ts'
import type { UpstreamHandler } from './types.ts'

/** Hands an answer to its reader at the reader's pace; what one socket read brought too much waits here. */
export interface Delivery {
  head(status: number, headers: Record<string, string | string[]>): void
  data(chunk: Buffer): void
  /** after everything that waits */
  end(error: OnwardError | null): void
  /** at once: what waits is dropped */
  cut(error: OnwardError): void
  /** the reader has room again */
  resume(): void
  readonly over: boolean
}

/**
 * `hold` and `read` stop and start the source. Exactly one end or error is told, never from within `cut` or `resume`.
 */
export function delivery(handler: UpstreamHandler, source: { hold(): void; read(): void }): Delivery {
  let waiting: Buffer[] = []
  let ending: { error: OnwardError | null } | null = null
  let held = false
  let ended = false
  let telling = false
  let resumeAsked = false
  let cutOff = false

  const give = (chunk: Buffer): void => {
    telling = true
    resumeAsked = false
    const room = handler.onData(chunk)
    telling = false
    if (room || resumeAsked || ended) return
    held = true
    // Once all is here the connection serves others: only what waits is held.
    if (!ending) source.hold()
  }
  const tellEnd = (): void => {
    if (ended || !ending) return
    ended = true
    if (ending.error) handler.onError(ending.error)
    else handler.onEnd()
  }
  const flow = (): void => {
    if (ended || !held) return
    held = false
    while (waiting.length > 0 && !held && !ended) {
      const chunk = waiting.shift()
      if (chunk) give(chunk)
    }
    if (held || ended) return
    if (ending) tellEnd()
    else source.read()
  }
  const answer: Mutable<Delivery> = {
    over: false,
    head(status, headers) {
      if (!ended && !ending) handler.onHead(status, headers)
    },
    data(chunk) {
      if (ended || ending) return
      if (held) waiting.push(chunk)
      else give(chunk)
    },
    end(error) {
      if (ended || ending) return
      ending = { error }
      answer.over = true
      // The connection goes back to its pool: nothing may keep it unread.
      source.read()
      if (!held) tellEnd()
    },
    cut(error) {
      if (ended || cutOff) return
      cutOff = true
      waiting = []
      ending = { error }
      answer.over = true
      held = false
      queueMicrotask(tellEnd)
    },
    resume() {
      if (telling) resumeAsked = true
      else if (held) queueMicrotask(flow)
    },
  }
  return answer
}
