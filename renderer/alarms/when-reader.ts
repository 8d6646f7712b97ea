import type { ReadTime } from '../../shared/alarms/alarms.ts'
import type { Outcome } from '../control/outcome.ts'

/** The reading of a text. `text`: which one, so that an answer is never taken for a newer text. */
export interface WhenRead {
  text: string
  result: ReadTime | { ok: false; code: 'failed'; message: string }
}

export interface WhenReader {
  read(text: string): void
  dispose(): void
}

/** Typing asks once it pauses. */
export const settleMs = 150

export interface WhenReaderDeps {
  ask(text: string): Promise<Outcome<ReadTime>>
  /** @returns takes it back */
  after(ms: number, run: () => void): () => void
  onRead(read: WhenRead): void
}

/** Has a text read when typing pauses. Answers to older texts come late or never, and are dropped. */
export function whenReader({ ask, after, onRead }: WhenReaderDeps): WhenReader {
  let newest = 0
  let forget: () => void = () => undefined
  return {
    read(text) {
      forget()
      const mine = ++newest
      if (text.trim() === '') return onRead({ text, result: { ok: false, code: 'empty', at: null } })
      forget = after(settleMs, () => {
        void ask(text).then((outcome) => {
          if (mine === newest)
            onRead({
              text,
              result: outcome.ok ? outcome.value : { ok: false, code: 'failed', message: outcome.problem.message },
            })
        })
      })
    },
    dispose() {
      newest++
      forget()
    },
  }
}
