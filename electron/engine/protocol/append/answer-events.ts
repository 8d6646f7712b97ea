import { sseSplitter } from '../sse/split.ts'
import { asText, parseObject, type JsonObject } from '../values.ts'

/** An answer that came whole: its bytes and what they were declared to be. */
export interface WholeAnswer {
  contentType: string
  body: Buffer
}

export interface AnswerEvent {
  type: string
  value: JsonObject
  data: Buffer
}

/** The events of an answer, as far as they hold JSON objects; null when it is no stream. */
export function answerEvents({ contentType, body }: WholeAnswer): AnswerEvent[] | null {
  const isStream =
    /^\s*text\/event-stream\b/i.test(contentType) ||
    !/^[\s\u00ef\u00bb\u00bf]*[{[]/.test(body.toString('latin1', 0, 256))
  if (!isStream) return null
  const events: AnswerEvent[] = []
  const splitter = sseSplitter((event) => {
    const value = parseObject(event.data)
    if (value) events.push({ type: asText(value['type']) ?? event.name(), value, data: Buffer.from(event.data) })
  }, Number.MAX_SAFE_INTEGER)
  splitter.push(body)
  // The last event may lack its blank line.
  splitter.push(Buffer.from('\n\n'))
  return events
}
