import { pause } from '../../base/clock.ts'
import type { TypeResult } from '../types.ts'
import { holdsText, isRestOf } from './composer-text.ts'
import type { LateText } from './late-text.ts'
import type { Assessment, Typing } from './port.ts'

/** More lines than any client shows of a text; longer ones stand there as a paste, which is one. */
const steps = 400
/** A line that has changed between reading and key this often in a row is one that a person types in. */
const tries = 5

/**
 * Takes a text of ours out of the composer, line by line from its end, and reads the line before every step: as soon as
 * anything else stands there, or a person types, it stops. Never Ctrl C or Escape: those would stop the agent. A text
 * that no reading has shown as a whole (`late`) is waited for.
 */
export async function takeOut(typing: Typing, text: string, late: LateText | null = null): Promise<TypeResult> {
  const { port, clock, settings, control } = typing
  let before: string | null = null
  let unchanged = 0
  let moved = 0
  let erased = false
  let unseen = late
  const since = clock.monotonic()
  for (let step = 0; step < steps; step++) {
    const seen = await port.assess()
    if (seen.reading.kind === 'gone') return { kind: 'failed', reason: seen.reading.reason }
    if (control.requestArrived.aborted) return { kind: 'submitted', extraEnter: false }
    // as a whole it is seen now
    if (unseen && !holdsText(seen.composer, text)) {
      // it has yet to be seen: nothing is typed after it while the agent works
      if (seen.reading.kind === 'hold') return { kind: 'enter-owed', reason: seen.reading.reason }
      // an agent with an unknown composer never shows it
      if (seen.composer.kind === 'unseen') return { kind: 'removed' }
      const found = await unseen.saw(typing, text, seen, 'erase')
      if (found === 'gone') return { kind: 'removed' }
      if (found === 'draft') return { kind: 'enter-owed', reason: { code: 'draft' } }
      if (clock.monotonic() - since >= settings.lateMs) return { kind: 'enter-owed', reason: { code: 'not-drawn' } }
      await pause(clock, settings.pollMs, control.requestArrived)
      continue
    }
    unseen = null
    if (seen.composer.kind === 'empty') return erased ? { kind: 'removed' } : { kind: 'unknown' }
    const stays = whyItStays(seen, text, erased)
    if (stays) return stays
    const shown = seen.composer.kind === 'text' ? seen.composer.text : ''
    unchanged = shown === before ? unchanged + 1 : 0
    // a screen that is slow to show it; then keys that this program does not know
    if (unchanged * settings.pollMs > settings.patienceMs) return { kind: 'enter-owed', reason: { code: 'draft' } }
    before = shown
    if (unchanged === 0) {
      // an agent that redraws its screen moves the line as well: the text that stands there now shows which it was
      const written = await port.eraseLine(seen)
      moved = written === 'moved' ? moved + 1 : 0
      if (moved === tries) return { kind: 'enter-owed', reason: { code: 'typing' } }
      if (written === 'moved') before = null
      else erased = true
    }
    await pause(clock, settings.pollMs, control.requestArrived)
  }
  return { kind: 'enter-owed', reason: { code: 'draft' } }
}

/** `begun`: what is left may be any part of the text by now. */
function whyItStays({ reading, composer }: Assessment, text: string, begun: boolean): TypeResult | null {
  // a busy agent shows its composer too, and keys go there
  if (reading.kind === 'hold' && reading.reason.code !== 'agent-busy' && reading.reason.code !== 'other-conversation')
    return { kind: 'enter-owed', reason: reading.reason }
  return isRestOf(composer, text, begun) ? null : { kind: 'enter-owed', reason: { code: 'draft' } }
}
