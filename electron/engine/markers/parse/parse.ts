import type { MarkerHeldWhy } from '../../../../shared/events.ts'
import { isoInstant } from '../../base/calendar/iso-instant.ts'
import { isOpeningQuote, readQuoted } from '../context/quoted.ts'
import type { Command, HeldMarker, Instruction, ParsedMarkers, ParseOptions, MarkerSpan } from '../types.ts'
import { invalid, shorten } from './invalid.ts'
import { parseRouting } from './parse-routing.ts'
import { parseStopMessage } from './parse-stop-message.ts'
import { scan } from './scan.ts'

/** A person writes a few. Each may cost a file read, a write and a line in the timeline. */
export const mostMarkers = 32

const named = /^(sm|stopmessage|clock)\s*(?:[:：,，]|$)/i

/**
 * Reads the markers of one text from left to right. Never throws; one that can't be understood is an `invalid`
 * instruction.
 * @example parseMarkers('Go on <**sm:"ship it",3**>', { language: 'en', targets })
 */
export function parseMarkers(text: string, options: ParseOptions): ParsedMarkers {
  const instructions: Instruction[] = []
  const held: HeldMarker[] = []
  const most = options.most ?? mostMarkers
  const spans = scan(text, most + 1, options.code)
  for (const span of spans.slice(0, most)) {
    const marker = text.slice(span.start, span.end)
    const why = whyHeld(span, options) ?? options.heldFor?.(marker) ?? null
    if (why !== null) held.push({ marker, why })
    else instructions.push({ ...parseBody(span.body, options), marker })
  }
  return { instructions, held, beyond: spans.length > most }
}

function parseBody(body: string, options: ParseOptions): Command {
  const text = body.trim()
  if (text.toLowerCase() === 'clear') return { kind: 'clear' }
  const name = named.exec(text)
  if (!name) return parseRouting(text, options.targets)
  const family = name[1]?.toLowerCase()
  const rest = text.slice(name[0].length)
  if (family === 'clock') return parseClock(rest)
  if (family === 'sm' || family === 'stopmessage') return parseStopMessage(family, rest, options.language)
  return invalid('no-value', 'The marker has a name and nothing else.')
}

/** Reads what follows `clock:`, which is `clear` or an object with `time` and `message`. */
function parseClock(rest: string): Command {
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

const whole = { first: true, last: true }

/** Why a marker does not act where it stands; null: it does. */
export function whyHeld(
  { where, first, last }: Pick<MarkerSpan, 'where' | 'first' | 'last'>,
  { part = whole, anywhere = false }: Pick<ParseOptions, 'part' | 'anywhere'>,
): MarkerHeldWhy | null {
  if (where === 'quoted') return 'quoted'
  if (anywhere) return null
  if (where === 'pasted') return first || last ? null : 'in-paste'
  return (first && part.first) || (last && part.last) ? null : 'in-middle'
}
