import { parseMarkers } from './parse/parse.ts'
import { pasteWrappers } from '../sessions/identify/person-text.ts'
import { resolveStopMessage } from './goals/resolve-stop-message.ts'
import { stripText } from './strip.ts'
import type { InCode, Instruction, KnownTargets, ParsedMarkers } from './types.ts'

/** Never shown in another language: the same history must give the same bytes for ever (prompt caches). */
const continueText = 'Continue.'

/** Replaces a text that held only markers by the text it armed with, else by `Continue.`; any other text stays. */
export function replaceEmptied(
  stripped: string,
  { instructions, held }: Pick<ParsedMarkers, 'instructions' | 'held'>,
): string {
  if (instructions.length + held.length === 0 || !isBlank(stripped)) return stripped
  const decision = resolveStopMessage(instructions)
  return decision.kind === 'set' && decision.instruction.text.kind === 'text'
    ? decision.instruction.text.text
    : continueText
}

/**
 * Returns a user text as the provider gets it: without markers, and never empty where markers were. Pure, and the same
 * for history.
 */
export function stripUserText(text: string, code?: InCode): string {
  const stripped = stripText(text, code)
  if (stripped === text || !isBlank(stripped)) return stripped
  return replaceEmptied(stripped, parseMarkers(text, { language: 'en', targets: nothingKnown, code }))
}

/**
 * True if Onward answers a message itself: its texts (those a person wrote) hold nothing but markers, and every marker
 * that acts is an order for Onward alone.
 */
export function isPureCommand(
  texts: readonly string[],
  { instructions, held }: Pick<ParsedMarkers, 'instructions' | 'held'>,
  code?: InCode,
): boolean {
  return (
    instructions.length + held.length > 0 &&
    instructions.every(ordersOnlyOnward) &&
    texts.every((text) => isBlank(stripText(text, code)))
  )
}

/** Arming and forcing a model ask for a turn of the agent; an invalid marker orders nothing. */
function ordersOnlyOnward(instruction: Instruction): boolean {
  switch (instruction.kind) {
    case 'stop-message-clear':
    case 'clock-clear':
    case 'clock-set':
    case 'clear':
    case 'routing-allow':
    case 'routing-prefer':
    case 'routing-disable':
    case 'routing-enable':
      return true
    case 'stop-message-set':
    case 'routing-force':
    case 'invalid':
      return false
  }
}

/** White space only; an emptied paste counts as nothing too. */
function isBlank(text: string): boolean {
  if (text.trim() === '') return true
  let rest = ''
  let from = 0
  for (const w of pasteWrappers(text)) {
    rest += text.slice(from, w.start) + text.slice(w.contentStart, w.contentEnd)
    from = w.end
  }
  return from > 0 && (rest + text.slice(from)).trim() === ''
}

/** Routing does not affect what an emptied text becomes, so history reads the same under any configuration. */
const nothingKnown: KnownTargets = { isProvider: () => false, isModel: () => false, isKey: () => false }
