import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import type { AnswerPlan, Delivery, EndGap, Gate, RawPlan } from './types.ts'

/** One answer on its way out. */
export interface Out {
  res: ServerResponse
  closed: Promise<void>
  /** tells the recorder that ending early was wanted */
  brokenOff(): void
  /** ... that all of it was said, whatever becomes of the connection */
  said(): void
  /** behind the last event of a stream */
  gap: EndGap
}

const gone = ({ res }: Out): boolean => res.closed || res.destroyed
const opened = (until: Gate, { closed }: Out): Promise<void> => Promise.race([until.opened, closed])

/** Resolves when the bytes were handed over, or can't be any more. */
function write(out: Out, bytes: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (gone(out)) return resolve()
    void out.closed.then(resolve)
    out.res.write(bytes, () => resolve())
  })
}

function leave(out: Out, how: 'cut' | 'reset' | 'end'): void {
  out.brokenOff()
  if (how === 'end') out.res.end()
  else if (how === 'reset') out.res.socket?.resetAndDestroy()
  else out.res.socket?.destroy()
}

/** A stream: each event is a write of its own, as a model's tokens are. */
export async function deliverEvents(
  plan: AnswerPlan,
  events: readonly string[],
  headers: Record<string, string>,
  out: Out,
): Promise<void> {
  const { hold, breakOff, pauseMs } = plan
  if (hold?.at === 'head') await opened(hold.until, out)
  if (gone(out)) return
  out.res.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...headers,
    ...plan.headers,
  })
  out.res.flushHeaders()
  for (const [sent, event] of events.entries()) {
    if (hold?.at === sent) await opened(hold.until, out)
    if (breakOff && sent >= breakOff.after) return leave(out, breakOff.how)
    if (sent > 0) await (pauseMs ? sleep(pauseMs) : nextTurn())
    if (gone(out)) return
    if (sent === events.length - 1 && out.gap === 0) return void out.res.end(event)
    await write(out, event)
  }
  // Callers may close right after the last event.
  out.said()
  if (out.gap === 'never') return
  await Promise.race([sleep(out.gap), out.closed])
  if (!gone(out)) out.res.end()
}

export async function deliverJson(
  value: unknown,
  delivery: Delivery,
  headers: Record<string, string>,
  out: Out,
): Promise<void> {
  if (delivery.hold) await opened(delivery.hold.until, out)
  if (gone(out)) return
  const body = Buffer.from(JSON.stringify(value))
  out.res.writeHead(200, {
    'content-type': 'application/json',
    'content-length': body.length,
    ...headers,
    ...delivery.headers,
  })
  if (!delivery.breakOff) return void out.res.end(body)
  await write(out, body.subarray(0, body.length >> 1))
  // A whole body is promised, so a proper end half-way can't be made; the connection goes.
  leave(out, delivery.breakOff.how === 'reset' ? 'reset' : 'cut')
}

export async function deliverRaw(plan: RawPlan, out: Out): Promise<void> {
  out.res.writeHead(plan.status ?? 200, plan.headers)
  // flushHeaders would write them as UTF-8
  out.res.write(Buffer.alloc(0))
  for (const part of plan.parts) {
    if (gone(out)) return
    if (typeof part === 'string' || Buffer.isBuffer(part)) await write(out, part)
    else if ('pauseMs' in part) await sleep(part.pauseMs)
    else await opened(part.until, out)
  }
  if (gone(out) || plan.afterwards === 'hang') return
  if (plan.afterwards === 'cut') leave(out, 'cut')
  else out.res.end()
}
