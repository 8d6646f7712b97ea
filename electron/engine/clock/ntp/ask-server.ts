import { messageOf, systemCodeOf } from '../../base/errors.ts'
import { query, type QueryDeps, type QueryResult } from './query.ts'
import { judge } from './judge.ts'
import type { ServerAddress } from './server-address.ts'

export type Said =
  | { kind: 'offset'; offsetMs: number; delayMs: number; skew: number }
  | { kind: 'kiss'; why: string }
  | { kind: 'failed'; why: string }

export interface AskHow {
  /** for name, way and answer together */
  timeoutMs: number
  /** how often it failed in a row: another address comes first then */
  failures: number
  signal: AbortSignal
}

/** Asks one server once. Never rejects. */
export async function askServer(
  deps: QueryDeps,
  { host, port }: ServerAddress,
  { timeoutMs, failures, signal }: AskHow,
): Promise<Said> {
  const ends = new AbortController()
  const stop = () => ends.abort()
  const timer = deps.clock.after(timeoutMs, stop)
  signal.addEventListener('abort', stop, { once: true })
  try {
    let said: Said = { kind: 'failed', why: 'has no address' }
    for (const address of turned(await deps.udp.addresses(host, ends.signal), failures)) {
      const result = await query(deps, { host: address, port }, ends.signal)
      said = understood(result, timeoutMs)
      // A family without a way out fails at once, which leaves time for the other.
      if (result.kind !== 'unreachable') break
    }
    return said
  } catch (error) {
    return { kind: 'failed', why: ends.signal.aborted ? noAnswer(timeoutMs) : unreachable(error) }
  } finally {
    timer.dispose()
    signal.removeEventListener('abort', stop)
  }
}

function understood(result: QueryResult, timeoutMs: number): Said {
  if (result.kind === 'silent') return { kind: 'failed', why: noAnswer(timeoutMs) }
  if (result.kind === 'unreachable') return { kind: 'failed', why: unreachable(result.error) }
  const { reply, asked, skew } = result
  if (reply.kind === 'kiss') return { kind: 'kiss', why: `wants to be left alone (${reply.code})` }
  if (reply.kind === 'unset') return { kind: 'failed', why: 'does not know the time itself' }
  const judged = judge(reply, asked)
  return judged.kind === 'offset' ? { ...judged, skew } : { kind: 'failed', why: judged.why }
}

const noAnswer = (timeoutMs: number): string => `no answer within ${timeoutMs} ms`
const unreachable = (error: unknown): string => `cannot be reached (${systemCodeOf(error) ?? messageOf(error)})`

function turned<T>(list: readonly T[], by: number): readonly T[] {
  const first = list.length === 0 ? 0 : by % list.length
  return [...list.slice(first), ...list.slice(0, first)]
}
