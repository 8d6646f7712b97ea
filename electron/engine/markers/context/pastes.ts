import type { Clock } from '../../base/clock.ts'
import { scan } from '../parse/scan.ts'

/** What came by the keyboard of terminals that Onward sees. In memory: after a restart the hosts tell it again. */
export interface Pastes {
  /**
   * `text`: pasted, or one line that was typed; null: too long to be looked at. `ageMs`: how long ago that was
   */
  note(terminalId: string, text: string | null, ageMs: number): void
  /** whether a marker stood in a paste of several lines; it is asked when a message with it arrives */
  saw(terminalId: string, marker: string): boolean
  /** whether a person typed a marker, or pasted it within one line */
  sawTyped(terminalId: string, marker: string): boolean
  forget(terminalId: string): void
}

/** Pasted text stands in an input line for so long at most, milliseconds. */
const staysMs = 3_600_000
/** What has arrived in a message is known for so long, so that its retries read the same. */
const arrivedMs = 60_000
/** Of one terminal; an older one gives way to a word that anything may be pasted. */
const most = 32

interface Paste {
  /** null: anything may have stood in it */
  folded: string | null
  until: number
}

export function createPastes(clock: Pick<Clock, 'monotonic'>): Pastes {
  const byTerminal = new Map<string, Paste[]>()
  const typed = new Map<string, Paste[]>()
  const living = (terminalId: string, all = byTerminal) =>
    (all.get(terminalId) ?? []).filter(({ until }) => until > clock.monotonic())
  const found = (pastes: readonly Paste[], marker: string) => {
    const folded = fold(marker)
    const found = pastes.filter((one) => one.folded === null || one.folded.includes(folded))
    for (const one of found) one.until = Math.min(one.until, clock.monotonic() + arrivedMs)
    return found.length > 0
  }
  return {
    note(terminalId, text, ageMs) {
      const paste = { folded: text === null ? null : fold(text), until: clock.monotonic() + staysMs - ageMs }
      if (text !== null && !hasSeveralLines(text)) {
        typed.set(terminalId, [...living(terminalId, typed), paste].slice(-most))
        return
      }
      const pastes = [...living(terminalId), paste]
      const [oldest] = pastes
      byTerminal.set(
        terminalId,
        pastes.length > most && oldest ? [{ folded: null, until: oldest.until }, ...pastes.slice(2)] : pastes,
      )
    },
    saw: (terminalId, marker) => found(living(terminalId), marker),
    sawTyped: (terminalId, marker) => found(living(terminalId, typed), marker),
    forget: (terminalId) => {
      byTerminal.delete(terminalId)
      typed.delete(terminalId)
    },
  }
}

/** White space aside, and what agents drop or write otherwise: control characters, invisible ones, widths. */
const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .toLowerCase()

/** A line break inside a marker begins no line. */
function hasSeveralLines(text: string): boolean {
  let rest = ''
  let from = 0
  for (const { start, end } of scan(text)) {
    rest += `${text.slice(from, start)}x`
    from = end
  }
  return /[\n\r\v\f\u0085\u2028\u2029]/.test((rest + text.slice(from)).trim())
}
