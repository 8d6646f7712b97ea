import type { Clock } from '../base/clock.ts'
import { scan } from './parse/scan.ts'

/** Keyboard input of the terminals that Onward sees. In memory only: after a restart the hosts send it again. */
export interface Pastes {
  /** `text`: pasted, or one line that was typed; null: too long to be examined. `ageMs`: how long ago that was */
  note(terminalId: string, text: string | null, ageMs: number): void
  /** true if a marker was in a paste of several lines; asked when a message with it arrives */
  saw(terminalId: string, marker: string): boolean
  /** true if a person typed a marker, or pasted it within one line */
  sawTyped(terminalId: string, marker: string): boolean
  forget(terminalId: string): void
}

/** Milliseconds that pasted text stays in an input line at most. */
const staysMs = 3_600_000
/**
 * Milliseconds a paste is remembered once its text arrived in a message, so that retries of the message read the same.
 */
const arrivedMs = 60_000
/** Per terminal. When there are more pastes, the two oldest become one that says anything may have been pasted. */
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

/** Drops white space and what agents drop or write differently: control characters, invisible ones, widths. */
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
