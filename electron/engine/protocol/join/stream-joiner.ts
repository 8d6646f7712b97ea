import type { Frame } from '../answer/frame.ts'
import { sseFrames } from '../answer/sse-frames.ts'
import { isBlank } from './event-bytes.ts'
import type { RoundJoiner, StreamRounds } from './types.ts'

/**
 * Joins streams. The first round goes by untouched but for its terminal part, which is held back; alone, it comes out
 * byte for byte. Of a later round only text is shown before the round is whole: what a broken round leaves with the
 * client must be something its next request can carry, and no half tool call or unsigned thinking is that.
 */
export function streamJoiner(rounds: StreamRounds): RoundJoiner {
  let first = true
  let out: Buffer[] = []
  let waiting: Frame[] = []
  let untilEnd = false
  let ending: Frame[] = []
  /** terminal events of the last round that was whole */
  let lastEnding: readonly Frame[] = []
  let dropped = false
  let failed = false
  /** the round under way goes out as it comes */
  let mustCome = false
  /** its last round has been made whole already */
  let closed = false

  const frames = sseFrames((event) => {
    if (ending.length > 0 || rounds.endsRound(event)) ending.push(event)
    else if (first) {
      rounds.note(event)
      out.push(event.raw)
    } else later(event)
  })

  function later(event: Frame): void {
    const place = rounds.place(event)
    if (place === 'drop') return
    if (place === 'now') {
      out.push(event.raw)
      return
    }
    if (mustCome) {
      out.push(rounds.write(event))
      return
    }
    if (place === 'text' && !untilEnd) release()
    if (place === 'tool') untilEnd = true
    if (waiting.length > 0 || place === 'tool' || place === 'before-text') waiting.push(event)
    else out.push(rounds.write(event))
  }

  function release(): void {
    for (const event of waiting) out.push(rounds.write(event))
    waiting = []
  }

  /** Everything of the round under way has come. */
  function complete(isLast: boolean): void {
    if (frames.begun) frames.push(blankLine)
    release()
    untilEnd = false
    lastEnding = ending.filter((event) => !isBlank(event))
    ending = []
    out.push(rounds.whole(lastEnding, isLast))
  }

  function taken(): Buffer {
    const bytes = out.length === 1 && out[0] ? out[0] : Buffer.concat(out)
    out = []
    return bytes
  }

  return {
    push(chunk) {
      if (!dropped) frames.push(chunk)
      return taken()
    },
    endRound(next = 'may-break') {
      complete(false)
      first = false
      mustCome = next === 'must-come'
    },
    dropRound() {
      if (first) return
      dropped = true
      frames.rest()
      waiting = []
      ending = []
      out.push(rounds.close())
    },
    failRound(error) {
      failed = true
      out.push(rounds.fail?.(error) ?? error)
      return taken()
    },
    say(text) {
      if (!dropped) complete(false)
      first = false
      closed = true
      out.push(rounds.say(text))
      return taken()
    },
    keepAlive() {
      const beat = rounds.keepAlive()
      const early = rounds.words && ending.length > 0 ? rounds.words(ending) : null
      if (early) {
        ending = early.ending
        out.push(early.shown)
      }
      if (beat.length === 0 && !early) return beat
      // Behind what the round before has left to show: it is numbered already.
      out.push(beat)
      return taken()
    },
    finish() {
      if (failed) return taken()
      if (first) out.push(...ending.map((event) => event.raw), frames.rest())
      else {
        if (!dropped && !closed) complete(true)
        out.push(rounds.ending(lastEnding))
      }
      return taken()
    },
  }
}

const blankLine = Buffer.from('\n\n')
