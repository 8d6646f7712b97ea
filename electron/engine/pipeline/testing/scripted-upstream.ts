import { chat } from '../../../../e2e/support/mock-upstream/chat.ts'
import { gemini } from '../../../../e2e/support/mock-upstream/gemini.ts'
import { messages } from '../../../../e2e/support/mock-upstream/messages.ts'
import { responses } from '../../../../e2e/support/mock-upstream/responses.ts'
import type { AnswerPlan } from '../../../../e2e/support/mock-upstream/types.ts'
import type { Wire } from '../../../../e2e/support/mock-upstream/wire.ts'
import { seeded } from '../../../../e2e/support/seeded.ts'
import { seed } from '../../../../shared/testing/runs.ts'
import type { EntryProtocol } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Transport, UpstreamHandler, UpstreamRequest } from '../../providers/types.ts'
import { parseObject, type JsonObject } from '../../protocol/values.ts'

export type Says = Omit<AnswerPlan, 'kind'>

/** One request as it went up, and the answers that the test gives it. */
export interface UpstreamRound {
  request: UpstreamRequest
  body: Buffer
  json: JsonObject
  readonly aborted: boolean
  /** the pipeline does not wait for its end */
  readonly dumped: boolean
  readonly resumed: number
  /** how long it may be silent since its first content; null: it has none */
  readonly maySilentMs: number | null
  /** the events of an answer, for this request */
  events(says: Says): string[]
  head(status?: number, contentType?: string, more?: Record<string, string>): void
  /** @returns true if there is room for more */
  data(bytes: string | Buffer): boolean
  end(): void
  fail(code?: string): void
  /** a whole JSON answer, for this request */
  whole(says: Says): string
  /** a whole answer in the form the request asked for; half of the changed streams never get their end */
  answer(says: Says, form?: 'stream' | 'json'): void
  refuse(status: number, message?: string): void
}

/** The longest gap between its words. */
const longestMs = 2_000

const wires: Readonly<Record<EntryProtocol, Wire>> = { chat, gemini, messages, responses }
export const streamType = 'text/event-stream'
export const jsonType = 'application/json'

/** A provider that does nothing by itself: the test decides what comes, and when. */
export function scriptedUpstream(entry: EntryProtocol, { converted = false } = {}) {
  const rounds: UpstreamRound[] = []
  const settled = async (ready: () => boolean, what: string): Promise<void> => {
    for (let i = 0; i < 500 && !ready(); i++)
      await new Promise<void>((done) => {
        setImmediate(done)
      })
    if (!ready()) throw new Error(`never came: ${what}`)
  }
  const transport: Transport = {
    send(request, handler) {
      const round = roundOf(entry, converted, request, handler, rounds.length + 1)
      rounds.push(round.seen)
      const { abort, dump, resume, mayBeSilent } = round
      return { abort, dump, resume, mayBeSilent, longestSilence: () => longestMs }
    },
    dispose: async () => undefined,
  }
  return {
    transport,
    rounds,
    settled,
    /** the n-th request, counted from 1, as soon as it is there */
    async round(n: number): Promise<UpstreamRound> {
      await settled(() => rounds.length >= n, `request ${n}`)
      const round = rounds[n - 1]
      if (!round) throw new Error('it was counted')
      return round
    },
  }
}

function roundOf(
  entry: EntryProtocol,
  converted: boolean,
  request: UpstreamRequest,
  handler: UpstreamHandler,
  n: number,
): { seen: UpstreamRound; abort(): void; dump(): void; resume(): void; mayBeSilent(ms: number): number } {
  // A copy: the memory of the request is given back when the answer is there.
  const body = Buffer.concat(Buffer.isBuffer(request.body) ? [request.body] : (request.body ?? []))
  const json = parseObject(body) ?? {}
  const wantsStream = json['stream'] === true || request.url.includes('streamGenerateContent')
  const wire = wires[entry]
  const context = { n, model: String(json['model'] ?? 'm'), request: json, nowMs: 1_790_000_000_000 }
  // The end of a body mostly comes after the last event, and where that is the last word the pipeline must not wait for
  // it. An unchanged stream is passed on for a moment longer.
  const isChanged = converted || body.includes('"clock"')
  const gaps = seeded(seed + n)
  let aborted = false
  let dumped = false
  let resumed = 0
  let maySilentMs: number | null = null
  const seen: UpstreamRound = {
    request,
    body,
    json,
    get aborted() {
      return aborted
    },
    get dumped() {
      return dumped
    },
    get resumed() {
      return resumed
    },
    get maySilentMs() {
      return maySilentMs
    },
    events: (says) => wire.events({ kind: 'answer', ...says }, context),
    whole: (says) => JSON.stringify(wire.json({ kind: 'answer', ...says }, context)),
    head: (status = 200, contentType = wantsStream ? streamType : jsonType, more = {}) =>
      handler.onHead(status, { 'content-type': contentType, ...more }),
    data: (bytes) => handler.onData(Buffer.from(bytes)),
    end: () => handler.onEnd(),
    fail: (code = 'upstream-broke-off') =>
      handler.onError(new OnwardError(code, 'The provider broke off.', { status: 502, retryable: true })),
    answer(says, form = wantsStream ? 'stream' : 'json') {
      seen.head(200, form === 'stream' ? streamType : jsonType)
      if (form === 'stream') for (const event of seen.events(says)) seen.data(event)
      else seen.data(seen.whole(says))
      if (form === 'json' || entry === 'gemini' || !isChanged || !gaps.chance(0.5)) seen.end()
    },
    refuse(status, message = 'no') {
      seen.head(status, jsonType)
      seen.data(JSON.stringify(wire.error(status, message)))
      seen.end()
    },
  }
  return {
    seen,
    abort() {
      if (aborted) return
      aborted = true
      handler.onError(new OnwardError('upstream-aborted', 'The call was given up.', { status: 499 }))
    },
    dump() {
      dumped = true
    },
    resume() {
      resumed++
    },
    mayBeSilent(ms) {
      maySilentMs = ms
      return 1_000
    },
  }
}

/** The events up to the first with a word of the model's, and those after it. */
export function atFirstWord(events: readonly string[]): [begun: readonly string[], more: readonly string[]] {
  const at = events.findIndex((event) => /"(?:content|text|delta)":\s*"[^"]/.test(event)) + 1
  return [events.slice(0, at), events.slice(at)]
}
