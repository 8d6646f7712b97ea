import { isBlank, isPieceOf } from './composer-text.ts'
import type { Assessment, Typing } from './port.ts'

/** `gone`: proved not to be there and not to come any more. `broken`: only a piece of it came */
export type Late = 'late' | 'gone' | 'broken' | 'draft'

/**
 * Follows a text that was typed and that no reading has shown as a whole, from reading to reading. An agent reads keys
 * in the order in which they came: where a blank that was typed later stands alone, the text never came or is gone.
 */
export interface LateText {
  /** `piece`: the reaction to a text that stays a piece */
  saw(typing: Typing, text: string, seen: Assessment, piece: 'tell' | 'erase'): Promise<Late>
}

export function createLateText(): LateText {
  let blank: { state: 'untyped' | 'typed' | 'shown'; since: number } = { state: 'untyped', since: 0 }
  let stays: { piece: string; since: number } | null = null
  return {
    async saw({ port, clock, settings }, text, seen, piece) {
      const { composer } = seen
      if (composer.kind === 'text' && isPieceOf(composer, text)) {
        if (stays?.piece !== composer.text) stays = { piece: composer.text, since: clock.monotonic() }
        if (clock.monotonic() - stays.since < settings.patienceMs) return 'late'
        if (piece === 'tell') return 'broken'
        // the blank goes with it
        if ((await port.eraseLine(seen)) === 'written') {
          stays = null
          blank = { state: 'untyped', since: 0 }
        }
        return 'late'
      }
      stays = null
      const next = composer.kind === 'empty' ? 'typed' : 'shown'
      if (next === 'shown' && !isBlank(composer)) return 'draft'
      if (next === 'typed' && blank.state === 'shown') return 'gone'
      // a key may be lost, and a person may send it along with a line of theirs
      if (blank.state === next && clock.monotonic() - blank.since < settings.lateMs) return 'late'
      const written = await (next === 'typed' ? port.pressSpace(seen) : port.eraseLine(seen))
      if (written === 'written') blank = { state: next, since: clock.monotonic() }
      return 'late'
    },
  }
}
