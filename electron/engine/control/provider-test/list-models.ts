import type { ProviderConfig } from '../../../../shared/config/schema.ts'
import type { Clock } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
import { prepareUpstream } from '../../providers/prepare.ts'
import type { Transport } from '../../providers/types.ts'
import { modelNames } from './ask-for.ts'

export interface ListedModels {
  status: number | null
  models: readonly string[]
  body: Buffer
  error: OnwardError | null
  tookMs: number
  headAfterMs: number | null
}

const WITHIN_MS = 5_000
const MOST_BYTES = 8 * 1024 * 1024
/** a refusal is shorter than this */
const MOST_ERROR_BYTES = 64 * 1024

/** Asks a provider for its list of models. No model call, so it goes straight to the transport. Never rejects. */
export function listModels(
  providerId: string,
  provider: ProviderConfig,
  key: { value: string } | null,
  deps: { transport: Transport; clock: Clock; version: string },
  path = provider.type === 'gemini' ? '/v1beta/models' : '/v1/models',
): Promise<ListedModels> {
  const { transport, clock } = deps
  const since = clock.monotonic()
  return new Promise((resolve) => {
    let status: number | null = null
    let headAfterMs: number | null = null
    const chunks: Buffer[] = []
    let bytes = 0
    const isRefused = () => status !== null && status >= 400
    const done = (error: OnwardError | null) => {
      limit.dispose()
      const body = Buffer.concat(chunks)
      resolve({
        status,
        body,
        error,
        headAfterMs,
        tookMs: clock.monotonic() - since,
        models: error === null && status === 200 ? modelNames(body) : [],
      })
    }
    const limit = clock.after(WITHIN_MS, () => {
      // If it refused, its reason came with the head.
      done(isRefused() ? null : new OnwardError('timed-out', `It listed no models within ${WITHIN_MS / 1000} s.`))
      call?.abort()
    })
    let call: { abort(): void } | null = null
    try {
      call = transport.send(
        prepareUpstream({
          providerId,
          provider,
          type: provider.type,
          key,
          method: 'GET',
          body: null,
          path,
          clientHeaders: { accept: 'application/json', 'user-agent': `onward/${deps.version}` },
          isLocalKey: () => false,
        }),
        {
          onHead(code) {
            status = code
            headAfterMs = clock.monotonic() - since
          },
          onData(chunk) {
            bytes += chunk.length
            chunks.push(chunk)
            if (bytes <= (isRefused() ? MOST_ERROR_BYTES : MOST_BYTES)) return true
            done(isRefused() ? null : new OnwardError('answer-too-large', 'Its list of models is too long.'))
            call?.abort()
            return true
          },
          onEnd: () => done(null),
          onError: (error) => done(isRefused() ? null : error),
        },
      )
    } catch (error) {
      done(OnwardError.isInstance(error) ? error : new OnwardError('internal', String(error), { cause: error }))
    }
  })
}
