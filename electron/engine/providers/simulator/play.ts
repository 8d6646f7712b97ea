import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { OnwardError } from '../../base/errors.ts'
import { delivery } from '../delivery.ts'
import type { UpstreamCall, UpstreamHandler } from '../types.ts'

/** An answer as a series of pieces over time. */
export interface Performance {
  status: number
  headers: Record<string, string>
  pieces: readonly Buffer[]
  /** before the head, and between pieces */
  waitMs: number
  gapMs: number
  ending: 'end' | 'break off' | 'never'
}

/**
 * Plays an answer to the handler by the given clock, at the reader's pace. `prepare` may take its time, e.g. to read a
 * file.
 */
export function play(clock: Clock, prepare: () => Promise<Performance>, handler: UpstreamHandler): UpstreamCall {
  let timer: Disposable | null = null
  let held = false
  let next = 0

  const after = (ms: number, then: () => void) => {
    if (ms === 0) return then()
    timer = clock.after(ms, () => {
      timer = null
      then()
    })
  }
  let step = () => {}
  const answer = delivery(handler, {
    hold() {
      held = true
    },
    read() {
      held = false
      step()
    },
  })

  const perform = (row: Performance) => {
    step = () => {
      while (!held && !timer && !answer.over) {
        const piece = row.pieces[next]
        if (!piece) return finish(row)
        next++
        answer.data(piece)
        if (row.gapMs > 0 && next < row.pieces.length) after(row.gapMs, step)
      }
    }
    answer.head(row.status, row.headers)
    step()
  }
  const finish = (row: Performance) => {
    if (row.ending === 'end') answer.end(null)
    else if (row.ending === 'break off')
      answer.end(
        new OnwardError('upstream-broke-off', 'The simulator broke off in the middle of its answer, as asked.', {
          status: 502,
        }),
      )
  }

  prepare().then(
    (row) => {
      if (answer.over || (row.ending === 'never' && row.pieces.length === 0)) return
      after(row.waitMs, () => perform(row))
    },
    (error: unknown) =>
      answer.cut(
        OnwardError.isInstance(error)
          ? error
          : new OnwardError('upstream-unreachable', 'The simulator could not answer.', { cause: error }),
      ),
  )

  const abort = () => {
    timer?.dispose()
    answer.cut(new OnwardError('upstream-aborted', 'The request was aborted: the client left.', { status: 499 }))
  }
  return {
    abort,
    dump: abort,
    resume() {
      answer.resume()
    },
  }
}
