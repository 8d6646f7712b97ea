import type { OnwardError } from '../../base/errors.ts'
import type { AnswerForm, Frame } from '../../protocol/answer/frame.ts'
import type { Progress } from '../../protocol/types.ts'

export type Headers = Record<string, string | string[]>

export interface AnswerHead {
  status: number
  headers: Headers
  form: AnswerForm
}

/** A step that reads the provider's content, and so knows when all of it has come. */
export interface ReadingStep extends AnswerStep {
  progress(): Progress
}

/**
 * A step of an answer's way to the client, as the step before it sees it. It gets the head, the frames, then exactly
 * one of end and error. A step is made with the next one, as undici composes its handlers.
 */
export interface AnswerStep {
  head(head: AnswerHead): void
  frame(frame: Frame): void
  /**
   * All frames that came together were passed on, and go out in one write. false: the client is slower, and the
   * upstream has to wait
   */
  flush(): boolean
  /** `rest`: bytes after the last frame */
  end(rest: Buffer): void
  /** it broke off there */
  error(error: OnwardError, rest: Buffer): void
}
