import type { ProviderType } from '../../../../shared/config/schema.ts'
import type { Clock } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
import { codecOf } from '../../protocol/index.ts'
import type { Transport, UpstreamHandler, UpstreamRequest } from '../../providers/types.ts'
import { episodeAt, type Fault, type FaultPlan } from './fault-plan.ts'

export interface FleetProvider {
  id: string
  type: Exclude<ProviderType, 'simulator'>
  keys: number
  plan: FaultPlan
}

/** One upstream call as the provider saw it. Times count from the day's beginning. */
export interface FleetCall {
  turn: string
  provider: string
  key: string
  at: number
  /** when an answer began */
  headAt: number | null
  /** ... that came whole */
  goodAt: number | null
  doneAt: number | null
  result: Fault | 'good' | 'left' | null
  /** when the key may be used again, as the provider said */
  until: number | null
}

const protocols = {
  'openai-chat': 'chat',
  'openai-responses': 'responses',
  anthropic: 'messages',
  gemini: 'gemini',
} as const

/** Providers that answer, or fail by their plan. Their behaviour is decided when a call arrives. */
export function fleet(
  providers: readonly FleetProvider[],
  clock: Clock,
): { transport: Transport; calls: readonly FleetCall[] } {
  const calls: FleetCall[] = []

  function send(request: UpstreamRequest, handler: UpstreamHandler) {
    const at = clock.monotonic()
    const provider = providers.find(({ id }) => new URL(request.url).hostname === `${id}.test`)
    if (!provider) throw new Error(`nobody is at ${request.url}`)
    const key = /sk-\w+-(\d)/.exec(Object.values(request.headers).join(' '))?.[1] ?? '0'
    const call: FleetCall = {
      turn: request.headers['x-fleet-turn'] ?? '',
      provider: provider.id,
      key,
      at,
      headAt: null,
      goodAt: null,
      doneAt: null,
      result: null,
      until: null,
    }
    const n = calls.push(call)
    let over = false
    const later = (ms: number, what: () => void) =>
      clock.after(ms, () => {
        if (!over) what()
      })
    const done = (result: NonNullable<FleetCall['result']>) => {
      over = true
      call.result = result
      call.doneAt = clock.monotonic()
    }
    const fail = (ms: number, result: Fault, code: string) =>
      later(ms, () => {
        done(result)
        handler.onError(
          new OnwardError(code, `The provider ${provider.id} did not answer.`, { status: 502, retryable: true }),
        )
      })
    const refuse = (
      status: number,
      result: Fault,
      headers: Record<string, string> = {},
      error: Record<string, unknown> = {},
    ) =>
      later(80 + (n % 7) * 60, () => {
        done(result)
        handler.onHead(status, { 'content-type': 'application/json', ...headers })
        handler.onData(Buffer.from(JSON.stringify({ error: { message: `${provider.id} refuses`, ...error } })))
        handler.onEnd()
      })
    const answer = (firstMs: number, breaksOff: boolean) => {
      const wantsStream = /streamGenerateContent/.test(request.url) || /"stream":true/.test(textOf(request.body))
      const { contentType, body } = codecOf(protocols[provider.type]).answer({
        id: `r${n}`,
        model: 'm',
        text: `answer of ${provider.id} to ${call.turn}`,
        stream: wantsStream,
        nowMs: clock.now(),
      })
      // Now and then a long one, that ends long after others have met a limit. It has content before.
      const isLong = n % 50 === 0
      const said = body.indexOf('\n\n', body.indexOf('answer of')) + 2
      const half = body.subarray(0, isLong && said > 2 ? said : body.length >> 1)
      later(firstMs, () => {
        call.headAt = clock.monotonic()
        // A body is known to be good only at its end.
        if (!breaksOff && wantsStream) call.goodAt = call.headAt
        handler.onHead(200, { 'content-type': contentType })
        handler.onData(half)
        later(isLong ? 20 * 60_000 : 500 + (n % 13) * 1_500, () => {
          if (breaksOff) {
            done('breaks-off')
            handler.onError(
              new OnwardError('upstream-broke-off', `The provider ${provider.id} broke off.`, {
                status: 502,
                retryable: true,
              }),
            )
            return
          }
          done('good')
          call.goodAt ??= call.doneAt
          handler.onData(body.subarray(half.length))
          handler.onEnd()
        })
      })
    }

    const usual = 200 + (n % 11) * 170
    const trouble = episodeAt(provider.plan, at, Number(key) - 1)
    const to = trouble?.to ?? at
    const restSeconds = Math.ceil((to - at) / 1_000)
    const now = clock.now()
    switch (trouble?.fault) {
      case undefined:
        answer(usual, false)
        break
      case 'slow':
        answer(20_000 + (n % 5) * 8_000, false)
        break
      case 'flaps':
        if (Math.floor(at / 4_000) % 2 === 0) answer(usual, false)
        else refuse(503, 'flaps')
        break
      case 'breaks-off':
        answer(usual, true)
        break
      case 'unreachable':
        fail(5, 'unreachable', 'upstream-unreachable')
        break
      case 'hangs':
        fail(request.timeouts.firstByteMs, 'hangs', 'upstream-timeout')
        break
      case '500':
      case '503':
      case '529':
        refuse(Number(trouble.fault), trouble.fault)
        break
      case 'refused':
        refuse(401, 'refused')
        break
      case 'rate':
        refuse(429, 'rate')
        break
      case 'rate-told':
        call.until = at + Math.min(restSeconds, 240) * 1_000
        refuse(429, 'rate-told', { 'retry-after': String(Math.min(restSeconds, 240)) })
        break
      case 'limit': {
        const lifts = Math.ceil((now + to - at) / 1_000)
        call.until = lifts * 1_000 - now + at
        if (provider.type === 'anthropic')
          refuse(429, 'limit', {
            'anthropic-ratelimit-unified-status': 'rejected',
            'anthropic-ratelimit-unified-representative-claim': 'five_hour',
            'anthropic-ratelimit-unified-reset': String(lifts),
          })
        else refuse(429, 'limit', {}, { type: 'usage_limit_reached', resets_at: lifts })
      }
    }
    return {
      abort() {
        if (!over) {
          // A client that gives up after a minute knows that the provider hangs.
          done(trouble?.fault === 'hangs' && clock.monotonic() - at >= 60_000 ? 'hangs' : 'left')
          handler.onError(new OnwardError('upstream-aborted', 'The call was given up.', { status: 499 }))
        }
      },
      dump: () => undefined,
      resume: () => undefined,
    }
  }
  return { transport: { send, dispose: async () => undefined }, calls }
}

const textOf = (body: UpstreamRequest['body']): string =>
  body === null ? '' : Buffer.concat(Array.isArray(body) ? body : [body as Buffer]).toString()
