import { isoInstant } from '../../base/iso-instant.ts'
import { invalid, shorten } from './invalid.ts'
import { isOpeningQuote, readQuoted } from '../context/quoted.ts'
import type { Command } from '../types.ts'

/** Reads what follows `clock:`, which is `clear` or an object with `time` and `message`. */
export function parseClock(rest: string): Command {
  const value = rest.trim()
  if (value.toLowerCase() === 'clear') return { kind: 'clock-clear' }
  if (!value.startsWith('{'))
    return invalid(
      value === '' ? 'no-value' : 'bad-clock',
      'Write clock:clear, or clock:{"time":"2026-01-21T20:30:00-08:00","message":"…"}.',
    )
  const alarm = readObject(value)
  if (!alarm) return invalid('bad-clock', 'The alarm is not valid JSON.')
  const { time, message, ...others } = alarm
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return invalid('bad-clock', `An alarm has a time and a message, no “${shorten(unknown)}”.`)
  if (typeof message !== 'string' || message.trim() === '') return invalid('bad-clock', 'The alarm needs a message.')
  const dueAtMs = typeof time === 'string' ? isoInstant(time) : null
  if (typeof time !== 'string' || dueAtMs === null)
    return invalid(
      'bad-clock',
      typeof time === 'string' && time.trim() !== ''
        ? `“${shorten(time)}” is no exact time with its zone, like 2026-01-21T20:30:00-08:00.`
        : 'The alarm needs a time with its zone, like 2026-01-21T20:30:00-08:00.',
    )
  return { kind: 'clock-set', time, dueAtMs, message }
}

function readObject(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(withAsciiPunctuation(json))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** Turns full-width punctuation outside ASCII quotes, as an input method leaves it, into JSON. */
function withAsciiPunctuation(json: string): string {
  let out = ''
  for (let i = 0; i < json.length;) {
    const char = json.charAt(i)
    const quoted = isOpeningQuote(char) ? readQuoted(json, i) : null
    if (quoted) {
      out += char === '"' ? json.slice(i, quoted.end) : JSON.stringify(quoted.text)
      i = quoted.end
    } else {
      out += char === '：' ? ':' : char === '，' ? ',' : char
      i++
    }
  }
  return out
}
