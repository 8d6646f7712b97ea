import type { OnwardError } from '../../base/errors.ts'
import type { Mutable } from '../../base/mutable.ts'
import { asBuffer, Frame, type AnswerForm, type Framer } from '../../protocol/answer/frame.ts'
import { listFrames } from '../../protocol/answer/list-frames.ts'
import { sseFrames } from '../../protocol/answer/sse-frames.ts'
import type { Progress } from '../../protocol/types.ts'

/** Cuts the bytes of an answer that has begun into frames. */
export interface FramedAnswer {
  /** false: the client is slower */
  push(chunk: Buffer): boolean
  /** a frame of the last chunk had content */
  readonly said: boolean
  end(): void
  error(error: OnwardError): void
}

/** Cuts an answer that comes in pieces. The next step has its head already. */
export function framed(form: Exclude<AnswerForm, 'body'>, next: AnswerStep): FramedAnswer {
  const framer = framerOf(form, (frame) => {
    answer.said ||= frame.says
    next.frame(frame)
  })
  const answer: Mutable<FramedAnswer> = {
    said: false,
    push(chunk) {
      answer.said = false
      framer.push(chunk)
      return next.flush()
    },
    end() {
      // Readers take a last event without its blank line for whole when the body ends properly.
      const last = framer.last()
      if (last) next.frame(last)
      next.end(framer.rest())
    },
    error: (error) => next.error(error, framer.rest()),
  }
  return answer
}

/** `limit`: bytes of the longest frame that is kept whole; absent: the most there is */
export function framerOf(form: Exclude<AnswerForm, 'body'>, onFrame: (frame: Frame) => void, limit?: number): Framer {
  switch (form) {
    case 'events':
      return sseFrames(onFrame, limit)
    case 'list':
      return listFrames(onFrame, limit)
    case 'bytes':
      return uncut(onFrame)
  }
}

/** Passes on bytes that only the client can read. */
const uncut = (onFrame: (frame: Frame) => void): Framer => ({
  push(input) {
    const chunk = asBuffer(input)
    onFrame(new Frame(chunk, 0, chunk.length))
  },
  last: () => null,
  rest: () => nothing,
})

const nothing = Buffer.alloc(0)

/** Passes on a body that came whole, as one frame. */
export function tellBody(next: AnswerStep, body: Buffer): void {
  next.frame(new Frame(body, 0, body.length, 0, body.length))
  next.end(nothing)
}

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
