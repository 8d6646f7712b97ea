import { Worker } from 'node:worker_threads'
import type { Clock } from '../../../base/clock.ts'
import { OnwardError } from '../../../base/errors.ts'
import type { PageAsk, PageText, ReadPage } from './types.ts'

/** Ten times what a page of 2 MiB takes on a machine with nothing else to do. */
export const MOST_MS = 10_000
const MOST_MEMORY_MB = 256

/**
 * Reads pages in a thread of their own, one after the other. `program`: thread.ts as it was built.
 * A thread per page: its libraries are loaded in a moment, and the memory is given back.
 */
export function pageReader(clock: Clock, program: URL): ReadPage {
  let last: Promise<unknown> = Promise.resolve()
  return (ask, signal) => {
    const turn = last.then(() => inThread(clock, program, ask, signal))
    last = turn.catch(() => undefined)
    return turn
  }
}

function inThread(clock: Clock, program: URL, ask: PageAsk, signal: AbortSignal): Promise<PageText> {
  if (signal.aborted) return Promise.reject(aborted())
  const worker = new Worker(program, {
    workerData: ask,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB, stackSizeMb: 4 },
  })
  return new Promise<PageText>((resolve, reject) => {
    const timer = clock.after(MOST_MS, () => reject(unreadable(`takes more than ${MOST_MS / 1000} s`)))
    const leave = (): void => reject(aborted())
    signal.addEventListener('abort', leave, { once: true })
    worker.once('message', resolve)
    worker.once('error', (error) => reject(unreadable('takes more memory or depth than it gets', error)))
    worker.once('exit', (code) => {
      timer.dispose()
      signal.removeEventListener('abort', leave)
      reject(unreadable(`ended early (${code})`))
    })
  }).finally(() => worker.terminate())
}

const aborted = (): OnwardError => new OnwardError('aborted', 'The fetch was given up.', { status: 499 })
const unreadable = (why: string, cause?: unknown): OnwardError =>
  new OnwardError('page-unreadable', `Turning this page into text ${why}. Its source can be had with format "html".`, {
    cause,
    status: 502,
  })
