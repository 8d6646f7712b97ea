import { asText, type JsonObject } from '../values.ts'
import type { Frame } from './frame.ts'
import { sseFrames } from './sse-frames.ts'

/** A complete answer: its bytes and declared content type. */
export interface WholeAnswer {
  contentType: string
  body: Buffer
}

export interface AnswerEvent {
  type: string
  value: JsonObject
  data: Buffer
}

/** Returns the events of an answer that hold JSON objects; null if the answer is no stream. */
export function answerEvents({ contentType, body }: WholeAnswer): AnswerEvent[] | null {
  const isStream =
    /^\s*text\/event-stream\b/i.test(contentType) ||
    !/^[\s\u00ef\u00bb\u00bf]*[{[]/.test(body.toString('latin1', 0, 256))
  if (!isStream) return null
  const events: AnswerEvent[] = []
  const add = (frame: Frame): void => {
    const value = frame.value()
    if (value && frame.data) events.push({ type: asText(value['type']) ?? frame.name, value, data: frame.data })
  }
  const frames = sseFrames(add, Number.MAX_SAFE_INTEGER)
  frames.push(body)
  const last = frames.last()
  if (last) add(last)
  return events
}
