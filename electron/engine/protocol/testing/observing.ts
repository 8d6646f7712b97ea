import { asBuffer, Frame, type Framer } from '../answer/frame.ts'
import { listFrames } from '../answer/list-frames.ts'
import { sseFrames } from '../answer/sse-frames.ts'
import { formOf } from '../observe/observer.ts'
import type { EntryCodec, ResponseObserver, ResponseSummary } from '../types.ts'

export interface ObservedBytes {
  push(chunk: Uint8Array): void
  readonly ended: boolean
  finish(brokenOff: boolean): ResponseSummary
}

/** Observes an answer that comes in pieces, cut into frames as on its way to the client. */
export function observing(codec: EntryCodec, contentType: string, status: number): ObservedBytes {
  const isStream = status < 400 && /^\s*text\/event-stream\b/i.test(contentType)
  let observer: ResponseObserver | null = null
  let framer: Framer | null = null
  let held = Buffer.alloc(0)

  function open(form: 'events' | 'list'): Framer {
    const begun = codec.observe(form, status)
    observer = begun
    const tell = (frame: Frame): void => begun.frame(frame)
    return form === 'events' ? sseFrames(tell) : listFrames(tell)
  }

  return {
    push(chunk) {
      if (framer) return framer.push(chunk)
      held = Buffer.concat([held, asBuffer(chunk)])
      const form = isStream ? 'events' : formOf(held, codec.protocol === 'gemini')
      if (form !== 'events' && form !== 'list') return
      framer = open(form)
      framer.push(held)
    },
    get ended() {
      return observer?.ended ?? false
    },
    finish(brokenOff) {
      if (!framer && isStream) framer = open('events')
      const whole = observer ?? codec.observe('body', status)
      const last = brokenOff ? null : framer?.last()
      if (last) whole.frame(last)
      else if (!framer) whole.frame(new Frame(held, 0, held.length, 0, held.length))
      return whole.finish(brokenOff)
    },
  }
}
