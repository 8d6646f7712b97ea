import type { HoldReason } from '../../../../shared/events.ts'
import { pause } from '../../base/clock.ts'
import type { TypeResult } from '../types.ts'
import { holdsPart, holdsText } from './composer-text.ts'
import type { LateText } from './late-text.ts'
import { lookAgainAfter, type Assessment, type Typing } from './port.ts'
import { isOwnCommand, safeFor } from '../safe-text.ts'

type Submission =
  | { kind: 'known'; result: TypeResult }
  /** all conditions of typing hold, and the text still stands in the composer */
  | { kind: 'stands'; seen: Assessment }

const submitted: Submission = { kind: 'known', result: { kind: 'submitted', extraEnter: false } }

/** After Enter: submitted when the turn that carries the text arrived or the text has left the composer. */
async function watchSubmission(
  { port, clock, settings, control }: Typing,
  text: string,
  statusSerial: number,
): Promise<Submission> {
  const since = clock.monotonic()
  const deadline = since + settings.patienceMs
  for (;;) {
    await pause(clock, lookAgainAfter(settings, clock.monotonic() - since), control.requestArrived)
    if (control.requestArrived.aborted) return submitted
    const seen = await port.assess()
    if (control.requestArrived.aborted || leftComposer(seen, text, statusSerial)) return submitted
    const { reading, composer } = seen
    if (reading.kind === 'gone') return known({ kind: 'failed', reason: reading.reason })
    if (clock.monotonic() < deadline) continue
    if (reading.kind === 'composer-holds')
      return holdsText(composer, text)
        ? { kind: 'stands', seen }
        : known({ kind: 'enter-owed', reason: { code: 'draft' }, entered: true })
    // the present hold may go away and show it again: after a dialog, for instance, Enter is owed
    if (reading.kind === 'hold') return known({ kind: 'enter-owed', reason: reading.reason, entered: true })
    return known({ kind: 'unknown' })
  }
}

function leftComposer({ reading, composer, statusSerial }: Assessment, text: string, before: number): boolean {
  switch (composer.kind) {
    case 'empty':
      return true
    // the person is writing the next line already
    case 'text':
      return !holdsPart(composer, text)
    case 'paste':
      return false
    // Where no composer can be seen, the program's own report stands for it: it took the line and went to work. A
    // report of a dialog says nothing: Enter may have gone there.
    case 'unseen':
      return statusSerial !== before && !(reading.kind === 'hold' && reading.reason.code === 'dialog-open')
  }
}

const known = (result: TypeResult): Submission => ({ kind: 'known', result })

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
    // no unsafe text leaves this place, whatever the caller passes
    const text = isOwnCommand(wanted) ? wanted : safeFor(wanted, { bracketedPaste: bracketed })
    if (text === '')
      return {
        kind: 'failed',
        reason: { code: 'typing-failed', message: 'nothing is left of the text once it is made safe' },
      }
    onText()
    // A lost answer proves nothing: the screen will show whether the text went out.
    const written = await port.writeText(text, { bracketed, seen: before }).catch(() => 'written' as const)
    if (written === 'moved') {
      if (attempts < tries) continue
      return { kind: 'held', reason: { code: 'typing' } }
    }
    const gap = Buffer.byteLength(text) > longText ? settings.gapMs.long : settings.gapMs.short
    const since = clock.monotonic()
    return enterWhenReady(typing, text, { since, until: since + gap, unseen: before.composer.kind === 'unseen' })
  }
}

/**
 * Only Enter, for a text that stands in the composer already. One that no reading has shown as a whole (`late`) is
 * waited for.
 */
export async function pressOwed(typing: Typing, text: string, late: LateText | null = null): Promise<TypeResult> {
  const { port, clock, settings, control } = typing
  const since = clock.monotonic()
  for (;;) {
    const seen = await port.assess()
    const { reading, composer } = seen
    if (reading.kind === 'gone') return { kind: 'failed', reason: reading.reason }
    if (control.requestArrived.aborted) return { kind: 'submitted', extraEnter: false, unseen: late !== null }
    if (control.stop.aborted) return { kind: 'enter-owed', reason: stopped }
    if (reading.kind === 'hold') return { kind: 'enter-owed', reason: reading.reason }
    if (holdsText(composer, text))
      return (await enter(typing, text, seen)) ?? { kind: 'enter-owed', reason: { code: 'typing' }, shown: true }
    if (composer.kind === 'unseen') return { kind: 'unknown' }
    // The text has left the composer. Had the person sent it, its turn would have arrived.
    const found = late ? await late.saw(typing, text, seen, 'tell') : composer.kind === 'empty' ? 'gone' : 'draft'
    if (found === 'gone') return { kind: 'removed' }
    if (found === 'broken') return { kind: 'enter-owed', reason: { code: 'not-drawn' }, broken: true }
    if (found === 'draft') return { kind: 'enter-owed', reason: { code: 'draft' } }
    if (clock.monotonic() - since >= settings.lateMs) return { kind: 'enter-owed', reason: { code: 'not-drawn' } }
    await pause(clock, settings.pollMs, control.stop)
  }
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
  let shown = false
  let standsSince: number | null = null
  const owe = (reason: HoldReason): TypeResult => ({ kind: 'enter-owed', reason, shown })
  for (;;) {
    await pause(clock, lookAgainAfter(settings, clock.monotonic() - gap.since), control.stop)
    const current = await port.assess()
    const { reading } = current
    const holds = holdsText(current.composer, text)
    shown ||= holds
    standsSince = holds ? (standsSince ?? clock.monotonic()) : null
    if (reading.kind === 'gone') return { kind: 'failed', reason: reading.reason }
    // sent by the person; if it still stands there, no Enter while that request runs
    if (control.requestArrived.aborted)
      return holds ? owe({ code: 'response-running' }) : { kind: 'submitted', extraEnter: false, unseen: !shown }
    if (control.stop.aborted) return owe(stopped)
    const over = clock.monotonic() >= deadline
    if (reading.kind === 'hold') {
      if (over || endsTyping.has(reading.reason.code)) return owe(reading.reason)
      continue
    }
    if (clock.monotonic() < gap.until) continue
    if (standsSince !== null && clock.monotonic() < standsSince + settings.stoodMs && !over) continue
    if (holds || (gap.unseen && reading.kind === 'ready')) {
      const entered = await enter(typing, text, current)
      if (entered) return entered
      if (over) return owe({ code: 'typing' })
    }
    if (!over) continue
    if (reading.kind === 'composer-holds') return owe({ code: 'draft' })
    // A text that was shown and is gone was taken out. One that was never shown may still come: a held Ctrl U is faster
    // than a reading, and a busy machine is slower than anybody's patience.
    return shown ? { kind: 'removed' } : owe({ code: 'not-drawn' })
  }
}

/** Holds that came between text and Enter and do not pass by themselves in a moment. */
const endsTyping: ReadonlySet<HoldReason['code']> = new Set(['dialog-open', 'shell-in-front', 'typing'])

/**
 * Presses Enter, and once more if the text still stands there and no request ever arrived. Null: a person types,
 * nothing was pressed.
 */
async function enter(typing: Typing, text: string, seen: Assessment): Promise<TypeResult | null> {
  const { port, control } = typing
  if ((await port.pressEnter(seen)) === 'moved') return null
  const first = await watchSubmission(typing, text, seen.statusSerial)
  if (first.kind === 'known') return first.result
  const owe = (reason: HoldReason): TypeResult => ({ kind: 'enter-owed', reason, shown: true, entered: true })
  if (control.stop.aborted) return owe(stopped)
  if (port.hearsRequests?.() === false) return owe({ code: 'terminal-offline' })
  if ((await port.pressEnter(first.seen)) === 'moved') return owe({ code: 'typing' })
  const second = await watchSubmission(typing, text, first.seen.statusSerial)
  if (second.kind === 'stands') return owe({ code: 'enter-ignored' })
  return second.result.kind === 'submitted' ? { kind: 'submitted', extraEnter: true } : second.result
}
