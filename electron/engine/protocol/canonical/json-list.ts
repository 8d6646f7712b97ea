import type { Mutable } from '../../base/mutable.ts'
import type { StreamConverter } from './convert-answer.ts'

/** Gemini's stream for clients that did not ask for events: one JSON array, an element for each event. */
export function asJsonList(inner: StreamConverter): StreamConverter {
  let begun = false
  let closed = false
  const elements = (events: Buffer): string => {
    let out = ''
    for (const event of events.toString('utf8').split('\n\n')) {
      if (!event.startsWith('data: ')) continue
      out += (begun ? ',\r\n' : '[') + event.slice('data: '.length)
      begun = true
    }
    return out
  }
  const said = (events: Buffer, last: boolean): Buffer => {
    list.ended = inner.ended
    const out = elements(events)
    if (!last || closed) return Buffer.from(out)
    closed = true
    return Buffer.from(`${out}${begun ? ']' : '[]'}`)
  }
  const list: Mutable<StreamConverter> = {
    ended: inner.ended,
    frame: (frame) => said(inner.frame(frame), false),
    end: () => said(inner.end(), true),
    fail: (error) => said(inner.fail(error), true),
    whole: (body) => said(inner.whole(body), true),
    progress: () => inner.progress(),
  }
  return list
}
