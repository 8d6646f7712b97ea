import type { Config } from '../../../../shared/config/schema.ts'
import type { KeepWarm, NotWarm } from '../../../../shared/cost/keep-warm.ts'
import type { Usage } from '../../../../shared/cost/usage.ts'
import type { RecordEvent } from '../../../../shared/events.ts'
import type { TurnRecord } from '../../../../shared/state.ts'
import { atTime, type Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Random } from '../../base/ids.ts'
import { putNewest } from '../../base/newest.ts'
import { Frame } from '../../protocol/answer/frame.ts'
import { codecOf } from '../../protocol/index.ts'
import type { Transport, UpstreamRequest } from '../../providers/types.ts'
import { costOf, leastCold } from '../../router/cost.ts'
import { decideWarm, nextPing, none, pingBody, warmPrompt, type WarmPrompt } from '../../router/keep-warm.ts'
import type { RouteChoice } from '../../router/types.ts'
import { isBroken, type Turn, type TurnEnd } from '../turn.ts'

export interface KeepWarmDeps {
  clock: Clock
  random: Pick<Random, 'uuid'>
  transport: Pick<Transport, 'send'>
  settings(): Config['keepWarm']
  /** when the session surely goes on; null: not known */
  wakeOf(sessionId: string): number | null
  /** none of its turns runs, and it may go on: its terminal lives, and nothing is paused */
  rests(sessionId: string): boolean
  /** what pings cost in the last 24 hours, before this engine began */
  spentBefore(): Promise<{ pings: number; usd: number }>
  record: RecordEvent
  addRecord(record: TurnRecord): void
  /** the cache lasts until then */
  lasts(sessionId: string, until: number): void
}

/** Asks for the prompts of sessions once more, so that their caches last until they go on. */
export interface WarmCaches {
  /** A request goes to a provider as this. */
  sent(turn: Turn, choice: RouteChoice, request: UpstreamRequest): void
  /** A request of the session comes: it is none that a ping may run beside. */
  began(sessionId: string): void
  ended(turn: Turn, end: TurnEnd): void
  /** null: nothing is known of the session's prompt */
  of(sessionId: string): KeepWarm | null
  dispose(): void
}

interface Sent {
  at: number
  choice: RouteChoice
  request: UpstreamRequest
}

type About = Pick<TurnRecord, 'sessionId' | 'scope' | 'client' | 'entry'>

interface Known {
  about: About
  sent: Sent
  prompt: WarmPrompt
  timer: Disposable | null
  /** a ping under way */
  abort: (() => void) | null
}

const mostSessions = 50
/** a prompt of a million tokens has as many */
const mostBytes = 8 * 1024 * 1024
const dayMs = 24 * 3_600_000

export function createWarmCaches(deps: KeepWarmDeps): WarmCaches {
  const { clock } = deps
  const sending = new Map<string, Sent>()
  const known = new Map<string, Known | NotWarm>()
  const budget = createSpent(deps)

  const stop = (sessionId: string, why: NotWarm | null) => {
    const one = known.get(sessionId)
    if (one && typeof one !== 'string') {
      one.timer?.dispose()
      one.abort?.()
    }
    if (why === null) known.delete(sessionId)
    else putNewest(known, sessionId, why, mostSessions)
  }
  const decided = (sessionId: string): KeepWarm | null => {
    const one = known.get(sessionId)
    if (one === undefined) return null
    if (typeof one === 'string') return none(one)
    const settings = deps.settings()
    if (!settings.providers.includes(one.sent.choice.providerId)) return none('off')
    if (!deps.rests(sessionId)) return none('rests')
    const spent = budget.spent()
    // Where it is not known, nothing is spent.
    if (spent === null) return none('budget')
    return decideWarm(one.prompt, deps.wakeOf(sessionId), { ...settings, ...spent }, clock.now())
  }
  const plan = (sessionId: string, one: Known) => {
    one.timer = atTime(clock, nextPing(one.prompt), () => {
      one.timer = null
      void ping(sessionId, one)
    })
  }
  const ping = async (sessionId: string, one: Known) => {
    const decision = decided(sessionId)
    // Whatever speaks against it now, the cache ends before it is looked at again.
    if (decision?.kind !== 'pings') return stop(sessionId, decision?.why ?? null)
    const { prompt, sent, about } = one
    const at = clock.now()
    const cost = budget.spend(prompt.pingUsd)
    const answer = await ask(deps, one)
    const { usage } = answer
    const { costUsd, price } = costOf({ usage, choice: sent.choice, signedIn: () => true, at })
    cost.usd = costUsd ?? prompt.pingUsd
    deps.addRecord(
      recordOf(about, sent, answer, { requestId: `warm_${deps.random.uuid()}`, at, costUsd, ...(price && { price }) }),
    )
    const isWarm = usage !== null && prompt.cached - usage.cachedInput < leastCold
    if (isWarm) {
      one.prompt = { ...prompt, usedAt: at, paidUsd: prompt.paidUsd + cost.usd }
      const until = at + prompt.keptMs
      deps.record(about, {
        type: 'cache-kept',
        tokens: usage.cachedInput,
        costUsd: cost.usd,
        savesUsd: prompt.savesUsd,
        until,
      })
      deps.lasts(sessionId, until)
      if (known.get(sessionId) === one) plan(sessionId, one)
    } else if (known.get(sessionId) === one) {
      deps.record(about, { type: 'cache-not-kept', why: usage ? 'cold' : 'refused', status: answer.status })
      stop(sessionId, 'failed')
    }
  }
  return {
    sent(turn, choice, request) {
      const { sessionId, kind } = turn.identity
      if (sessionId === null || kind !== 'turn' || turn.call.endpoint !== 'generate') return
      if (!deps.settings().providers.includes(choice.providerId)) return
      budget.load()
      putNewest(sending, sessionId, { at: clock.now(), choice, request }, mostSessions)
    },
    began: (sessionId) => stop(sessionId, null),
    ended(turn, end) {
      const { sessionId } = turn.identity
      const sent = sessionId === null ? undefined : sending.get(sessionId)
      if (sessionId === null || !sent || turn.identity.kind !== 'turn') return
      sending.delete(sessionId)
      stop(sessionId, null)
      const usage = end.lastUsage ?? end.summary.usage
      const { body } = sent.request
      if (isBroken(end) || usage === null || body === null) return
      const bytes = Buffer.isBuffer(body) ? body : Buffer.concat(body)
      if (bytes.length > mostBytes) return
      if (sent.choice.type !== 'anthropic') return stop(sessionId, 'not-known')
      const lens = codecOf('messages').read(bytes, '/v1/messages')
      const prompt = warmPrompt(lens, sent.choice, usage, { usedAt: sent.at, at: clock.now() })
      if (typeof prompt === 'string') return stop(sessionId, prompt)
      const one: Known = {
        about: {
          sessionId,
          scope: turn.identity.scope,
          client: turn.identity.client,
          entry: turn.call.entry,
        },
        sent: { ...sent, request: { ...sent.request, body: pingBody(lens) } },
        prompt,
        timer: null,
        abort: null,
      }
      putNewest(known, sessionId, one, mostSessions)
      plan(sessionId, one)
    },
    of: decided,
    dispose() {
      for (const sessionId of known.keys()) stop(sessionId, null)
      sending.clear()
    },
  }
}

interface PingAnswer {
  /** 0: none came */
  status: number
  usage: Usage | null
  /** a turn came in between */
  left: boolean
  bytes: number
  tookMs: number
}

function usageIn(body: Buffer): Usage | null {
  const observer = codecOf('messages').observe('body', 200)
  observer.frame(new Frame(body, 0, body.length, 0, body.length))
  return observer.finish(false).usage
}

function recordOf(
  about: About,
  { choice, request }: Sent,
  { status, usage, left, bytes, tookMs }: PingAnswer,
  more: Pick<TurnRecord, 'requestId' | 'at' | 'costUsd' | 'price'>,
): TurnRecord {
  return {
    ...about,
    kind: 'warm',
    model: choice.upstreamModel,
    route: choice.fact,
    status,
    finish: left ? 'broken-off' : usage ? 'length' : 'error',
    usage,
    ttfbMs: null,
    durationMs: Math.round(tookMs),
    bytesIn: Buffer.isBuffer(request.body) ? request.body.length : 0,
    bytesOut: bytes,
    error: null,
    by: 'onward',
    ...more,
  }
}

/** Pings of the last 24 hours. */
function createSpent({ clock, spentBefore }: Pick<KeepWarmDeps, 'clock' | 'spentBefore'>) {
  /** a ping counts with what it costs at most until its provider said more */
  const pings: { at: number; usd: number }[] = []
  let before: { pings: number; usd: number; at: number } | null = null
  let loading = false
  return {
    /** what was spent before this engine began */
    load(): void {
      if (loading) return
      loading = true
      spentBefore().then(
        (sums) => (before = { ...sums, at: clock.now() }),
        () => (loading = false),
      )
    },
    spend(usd: number): { usd: number } {
      const ping = { at: clock.now(), usd }
      pings.push(ping)
      return ping
    },
    /** null: not known yet */
    spent(): { pings: number; usd: number } | null {
      const now = clock.now()
      while (pings[0] && pings[0].at <= now - dayMs) pings.shift()
      if (before === null) return null
      const earlier = now - before.at < dayMs ? before : { pings: 0, usd: 0 }
      return {
        pings: pings.length + earlier.pings,
        usd: pings.reduce((sum, ping) => sum + ping.usd, earlier.usd),
      }
    },
  }
}

const ask = ({ clock, transport }: Pick<KeepWarmDeps, 'clock' | 'transport'>, one: Known): Promise<PingAnswer> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let status = 0
    const began = clock.monotonic()
    const over = (left: boolean) => {
      one.abort = null
      const body = Buffer.concat(chunks)
      const usage = status === 200 && !left ? usageIn(body) : null
      resolve({ status, usage, left, bytes: body.length, tookMs: clock.monotonic() - began })
    }
    const call = transport.send(one.sent.request, {
      onHead: (code) => (status = code),
      onData: (chunk) => chunks.push(chunk) > 0,
      onEnd: () => over(false),
      onError: () => over(one.abort === null),
    })
    one.abort = () => {
      one.abort = null
      call.abort()
    }
  })
