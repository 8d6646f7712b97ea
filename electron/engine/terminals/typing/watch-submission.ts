import { pause } from '../../base/clock.ts'
import type { TypeResult } from '../types.ts'
import { holdsPart, holdsText } from './composer-text.ts'
import { lookAgainAfter, type Assessment, type Typing } from './port.ts'

export type Submission =
  | { kind: 'known'; result: TypeResult }
  /** all conditions of typing hold, and the text still stands in the composer */
  | { kind: 'stands'; seen: Assessment }

const submitted: Submission = { kind: 'known', result: { kind: 'submitted', extraEnter: false } }

/** After Enter: submitted when the turn that carries the text arrived or the text has left the composer. */
export async function watchSubmission(
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
