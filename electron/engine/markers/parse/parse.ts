import { parseClock } from './parse-clock.ts'
import { parseRouting } from './parse-routing.ts'
import { parseStopMessage } from './parse-stop-message.ts'
import { invalid } from './invalid.ts'
import { scan } from './scan.ts'
import { whyHeld } from '../why-held.ts'
import type { Command, HeldMarker, Instruction, ParsedMarkers, ParseOptions } from '../types.ts'

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
