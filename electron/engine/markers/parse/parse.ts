import type { MarkerHeldWhy } from '../../../../shared/events.ts'
import { isoInstant } from '../../base/calendar/iso-instant.ts'
import { isOpeningQuote, readQuoted } from '../context/quoted.ts'
import type {
  Command,
  HeldMarker,
  Instruction,
  ParsedMarkers,
  ParseOptions,
  MarkerSpan,
  InvalidCommand,
  KnownTargets,
  RoutingTarget,
} from '../types.ts'
import { invalid, shorten } from './invalid.ts'
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

/** Same signs as a provider id of the config may have (shared/config/schema.ts). */
const providerId = /^[A-Za-z0-9_-]+$/

/** Reads a marker without a name: `!…`, `#…`, `@…`, a provider, or a provider and its model. */
function parseRouting(body: string, known: KnownTargets): Command {
  const text = body.trim()
  if (text === '') return invalid('empty', 'There is nothing between the signs of this marker.')
  const rest = text.slice(1).trim()
  if (text.startsWith('!')) return parsePreference(rest, known)
  if (text.startsWith('#') || text.startsWith('@')) {
    const target = readTarget(rest, known)
    if (target.kind === 'invalid') return target
    return { kind: text.startsWith('#') ? 'routing-disable' : 'routing-enable', target }
  }
  return parseBare(text, known)
}

/** `!p1,p2` allows only these providers, `!p.model` prefers a model. */
function parsePreference(rest: string, known: KnownTargets): Command {
  const names = rest.split(/[,，]/).map((name) => name.trim())
  const [only] = names
  if (names.length === 1 && only?.includes('.')) {
    const target = readModel(only, known)
    return target.kind === 'model' ? { kind: 'routing-prefer', provider: target.provider, model: target.model } : target
  }
  for (const name of names) {
    const refused = refuseProvider(name, known)
    if (refused) return refused
  }
  return { kind: 'routing-allow', providers: [...new Set(names)] }
}

function parseBare(text: string, known: KnownTargets): Command {
  if (text.includes('.')) {
    const target = readModel(text, known)
    return target.kind === 'model' ? { kind: 'routing-force', provider: target.provider, model: target.model } : target
  }
  return refuseProvider(text, known) ?? { kind: 'routing-allow', providers: [text] }
}

/** `p`, `p.model`, `p.2`, `p[alias]`. */
function readTarget(text: string, known: KnownTargets): RoutingTarget | InvalidCommand {
  const byAlias = /^([^.[\]]+)\[([^[\]]+)\]$/.exec(text)
  if (byAlias) return readKey(byAlias[1] ?? '', byAlias[2] ?? '', known)
  if (!text.includes('.')) return refuseProvider(text, known) ?? { kind: 'provider', provider: text }
  const { provider, rest } = splitAtDot(text)
  if (/^[1-9][0-9]{0,5}$/.test(rest) && (known.isKey(provider, Number(rest)) || !known.isModel(provider, rest)))
    return readKey(provider, Number(rest), known)
  return readModel(text, known)
}

function readKey(provider: string, key: string | number, known: KnownTargets): RoutingTarget | InvalidCommand {
  const refused = refuseProvider(provider, known)
  if (refused) return refused
  if (!known.isKey(provider, key))
    return invalid(
      'unknown-key',
      `Provider “${provider}” has no key ${typeof key === 'number' ? `number ${key}` : `“${shorten(key)}”`}.`,
    )
  return { kind: 'key', provider, key }
}

function readModel(text: string, known: KnownTargets): Extract<RoutingTarget, { kind: 'model' }> | InvalidCommand {
  const { provider, rest: model } = splitAtDot(text)
  const refused = refuseProvider(provider, known)
  if (refused) return refused
  if (!/^[^\s\p{Cc}<>"“”]+$/u.test(model))
    return invalid('bad-target', 'A model name follows the dot, without spaces and quotes.')
  if (!known.isModel(provider, model))
    return invalid('unknown-model', `Provider “${provider}” has no model “${shorten(model)}”.`)
  return { kind: 'model', provider, model }
}

function refuseProvider(name: string, known: KnownTargets): InvalidCommand | null {
  if (!providerId.test(name))
    return invalid('bad-target', `“${shorten(name)}” is no command Onward knows and can't be a provider.`)
  return known.isProvider(name) ? null : invalid('unknown-provider', `There is no provider “${shorten(name)}”.`)
}

/** Model names may hold dots themselves, provider ids can't. */
function splitAtDot(text: string): { provider: string; rest: string } {
  const dot = text.indexOf('.')
  return { provider: text.slice(0, dot), rest: text.slice(dot + 1) }
}
