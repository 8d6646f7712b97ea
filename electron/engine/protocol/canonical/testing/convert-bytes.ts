import type { Framer } from '../../answer/frame.ts'
import { sseFrames } from '../../answer/sse-frames.ts'
import * as frames from '../convert-answer.ts'

export type { AnswerConversion } from '../convert-answer.ts'

/** A converter that is pushed the bytes of a provider's stream. */
export interface StreamConverter extends Omit<frames.StreamConverter, 'frame'> {
  push(chunk: Buffer): Buffer
}

export const convertToStream = (conversion: frames.AnswerConversion): StreamConverter =>
  pushed(frames.convertToStream(conversion))

/** The last event of a body that ended properly may lack its blank line, as the way to the client has it. */
export function pushed(converter: frames.StreamConverter): StreamConverter {
  let out: Buffer[] = []
  const framer = sseFrames((frame) => out.push(converter.frame(frame)))
  const take = (): Buffer => {
    const bytes = Buffer.concat(out)
    out = []
    return bytes
  }
  return {
    push(chunk) {
      framer.push(chunk)
      return take()
    },
    end() {
      const last = framer.last()
      if (last) out.push(converter.frame(last))
      out.push(converter.end())
      return take()
    },
    fail: (error) => converter.fail(error),
    whole: (body) => converter.whole(body),
    get ended() {
      return converter.ended
    },
    progress: () => converter.progress(),
  }
}

export interface BodyConverter extends Omit<frames.BodyConverter, 'frame'> {
  push(chunk: Buffer): void
}

export function convertToBody(conversion: frames.AnswerConversion): BodyConverter {
  const converter = frames.convertToBody(conversion)
  const framer: Framer = sseFrames((frame) => converter.frame(frame))
  return {
    push: (chunk) => framer.push(chunk),
    progress: () => converter.progress(),
    end() {
      const last = framer.last()
      if (last) converter.frame(last)
      return converter.end()
    },
    whole: (body) => converter.whole(body),
  }
}
