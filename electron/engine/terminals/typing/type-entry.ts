import type { HoldReason } from '../../../../shared/events.ts'
import { pause } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import type { TypeResult } from '../types.ts'
import { holdsText } from './composer-text.ts'
import { lookAgainAfter, type Assessment, type Typing } from './port.ts'
import { safeFor } from './safe-text.ts'
import { watchSubmission } from './watch-submission.ts'

/** The person, or the outbox, stopped it: no Enter. */
const stopped: HoldReason = { code: 'paused', by: 'session' }
const longText = 2048
/** A line that has changed at every reading is one that a person types in. */
const tries = 5

/**
 * Types a text once: assess, write, wait, assess again, Enter, watch. `onText` is called right before the first byte:
 * from then on the entry must never be typed again. Rejects only before that.
 */
export async function typeEntry(typing: Typing, wanted: string, onText: () => void): Promise<TypeResult> {
  const { port, clock, settings, control } = typing
  for (let attempts = 1; ; attempts++) {
    const before = await port.assess()
    const notNow = whyNotType(before)
    if (notNow) return notNow
    if (control.stop.aborted) return { kind: 'held', reason: stopped }
    const bracketed = before.reading.kind === 'ready' && before.reading.bracketedPaste
    // no unsafe text leaves this place, whoever ordered it
    const text = safeFor(wanted, { bracketedPaste: bracketed })
    if (text === '')
      return {
        kind: 'failed',
        reason: { code: 'typing-failed', message: 'nothing is left of the text once it is made safe' },
      }
    onText()
    try {
      if ((await port.writeText(text, { bracketed, seen: before })) === 'moved') {
        if (attempts < tries) continue
        return { kind: 'held', reason: { code: 'typing' } }
      }
    } catch (error) {
      return { kind: 'failed', reason: { code: 'typing-failed', message: messageOf(error) } }
    }
    const gap = Buffer.byteLength(text) > longText ? settings.gapMs.long : settings.gapMs.short
    const since = clock.monotonic()
    return enterWhenReady(typing, text, { since, until: since + gap, unseen: before.composer.kind === 'unseen' })
  }
}

/** Only Enter, for a text that stands in the composer already. */
export async function pressOwed(typing: Typing, text: string): Promise<TypeResult> {
  const seen = await typing.port.assess()
  const { reading, composer } = seen
  if (reading.kind === 'gone') return { kind: 'failed', reason: reading.reason }
  if (typing.control.requestArrived.aborted) return { kind: 'submitted', extraEnter: false }
  if (typing.control.stop.aborted) return { kind: 'enter-owed', reason: stopped }
  if (reading.kind === 'hold') return { kind: 'enter-owed', reason: reading.reason }
  // The text has left the composer. Had the person sent it, its turn would have arrived.
  if (reading.kind === 'ready') return { kind: 'removed' }
  if (!holdsText(composer, text)) return { kind: 'enter-owed', reason: { code: 'draft' } }
  return (await enter(typing, text, seen)) ?? { kind: 'enter-owed', reason: { code: 'typing' } }
}

function whyNotType({ reading }: Assessment): TypeResult | null {
  switch (reading.kind) {
    case 'ready':
      return null
    case 'composer-holds':
      return { kind: 'held', reason: { code: 'draft' } }
    case 'hold':
      return { kind: 'held', reason: reading.reason }
    case 'gone':
      return { kind: 'failed', reason: reading.reason }
  }
}

/**
 * The text is out. Reads the screen until the gap is over and the composer has shown the text for a moment, then
 * presses Enter; every condition of typing must still hold. Where no composer can be seen (`unseen`) the gap alone
 * decides.
 */
async function enterWhenReady(
  typing: Typing,
  text: string,
  gap: { since: number; until: number; unseen: boolean },
): Promise<TypeResult> {
  const { port, clock, settings, control } = typing
  const deadline = gap.until + settings.patienceMs
  let seen = false
  let standsSince: number | null = null
  for (;;) {
    await pause(clock, lookAgainAfter(settings, clock.monotonic() - gap.since), control.stop)
    const current = await port.assess()
    const { reading } = current
    const holds = holdsText(current.composer, text)
    seen ||= holds
    standsSince = holds ? (standsSince ?? clock.monotonic()) : null
    if (reading.kind === 'gone') return { kind: 'failed', reason: reading.reason }
    // sent by the person, or taken up by the agent; if it still stands there, no Enter while that request runs
    if (control.requestArrived.aborted)
      return holds
        ? { kind: 'enter-owed', reason: { code: 'response-running' } }
        : { kind: 'submitted', extraEnter: false }
    if (control.stop.aborted) return { kind: 'enter-owed', reason: stopped }
    const over = clock.monotonic() >= deadline
    if (reading.kind === 'hold') {
      const result = heldWithText(reading.reason, seen, over)
      if (result) return result
      continue
    }
    if (clock.monotonic() < gap.until) continue
    if (standsSince !== null && clock.monotonic() < standsSince + settings.stoodMs && !over) continue
    if (holds || (gap.unseen && reading.kind === 'ready')) {
      const entered = await enter(typing, text, current)
      if (entered) return entered
      if (over) return { kind: 'enter-owed', reason: { code: 'typing' } }
    }
    if (!over) continue
    // The composer is empty. Whether it showed the text for a moment is chance: a held Ctrl U is faster than a reading.
    return reading.kind === 'ready' ? { kind: 'removed' } : { kind: 'enter-owed', reason: { code: 'draft' } }
  }
}

/** A hold came between text and Enter. Null: it may pass, so the screen is read again. */
function heldWithText(reason: HoldReason, seen: boolean, over: boolean): TypeResult | null {
  switch (reason.code) {
    case 'dialog-open':
      return seen ? { kind: 'enter-owed', reason } : { kind: 'failed', reason: { code: 'dialog-took-text' } }
    case 'shell-in-front':
      return { kind: 'failed', reason: { code: 'agent-gone' } }
    case 'typing':
      return { kind: 'enter-owed', reason }
    default:
      return over ? { kind: 'enter-owed', reason } : null
  }
}

/**
 * Enter, and once more if the text still stands there and no request ever arrived. Null: somebody types, nothing was
 * pressed.
 */
async function enter(typing: Typing, text: string, seen: Assessment): Promise<TypeResult | null> {
  const { port, control } = typing
  if ((await port.pressEnter(seen)) === 'moved') return null
  const first = await watchSubmission(typing, text, seen.statusSerial)
  if (first.kind === 'known') return first.result
  if (control.stop.aborted) return { kind: 'enter-owed', reason: stopped }
  if (port.hearsRequests?.() === false) return { kind: 'unknown' }
  if ((await port.pressEnter(first.seen)) === 'moved') return { kind: 'enter-owed', reason: { code: 'typing' } }
  const second = await watchSubmission(typing, text, first.seen.statusSerial)
  if (second.kind === 'stands') return { kind: 'enter-owed', reason: { code: 'enter-ignored' } }
  return second.result.kind === 'submitted' ? { kind: 'submitted', extraEnter: true } : second.result
}
