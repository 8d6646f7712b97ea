import type { AnswerJob, RequestJob } from './convert.ts'
import type { KeptOfTurn } from '../kept-thinking.ts'

/** A request to the thread; `write` comes after the `read` of the same request. */
export type ThreadRequest =
  | { kind: 'read'; job: RequestJob }
  | { kind: 'write'; kept: KeptOfTurn | null }
  | { kind: 'answer'; job: AnswerJob }

export type ThreadReply =
  | { kind: 'done'; result: unknown }
  | {
      kind: 'refused'
      code: string
      message: string
      status: number
      retryable: boolean
      details: Readonly<Record<string, unknown>>
    }
