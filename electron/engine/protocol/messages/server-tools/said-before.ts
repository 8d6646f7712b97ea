import { rootOf } from '../../json-bytes/walk.ts'
import { withoutBlanks } from '../../server-tools/types.ts'
import { asText, type JsonObject } from '../../values.ts'
import { partsOf, roleOf, textOf, type Part } from './declare.ts'

/** How much of a block stays in the client's copy of an answer: all of it, none, or another text. */
export type Kept = 'all' | 'none' | { text: string }

interface SaidBefore {
  /** visible text without blanks */
  text: string
  /** signs of blocks that are no text */
  signs: ReadonlySet<string>
}

/** Collects what the assistant says in the items that come whole before an answer. */
export function saidBefore(items: readonly string[]): SaidBefore {
  const blocks = items
    .map((item) => Buffer.from(item))
    .filter((item) => roleOf(item, rootOf(item)) === 'assistant')
    .flatMap((item) => partsOf(item, rootOf(item)).map(({ block }) => block))
  return {
    text: withoutBlanks(blocks.map((block) => textOf(block) ?? '').join('')),
    signs: new Set(blocks.flatMap(signsOf)),
  }
}

/**
 * Each of these alone identifies a block: thinking by its signature or words, calls and what the vendor ran by their
 * ids.
 */
function signsOf(block: JsonObject): string[] {
  return ['signature', 'data', 'thinking', 'id', 'tool_use_id'].flatMap((name) => {
    const value = asText(block[name])?.trim()
    return value ? [`${name} ${value}`] : []
  })
}

/**
 * Words count only where a client keeps no signature: a model may think the same twice, and a tool loop needs all it
 * signed.
 */
function isIn(block: JsonObject, { signs }: SaidBefore): boolean {
  const all = signsOf(block)
  const signed = all.filter((sign) => !sign.startsWith('thinking '))
  return (signed.length > 0 ? signed : all).some((sign) => signs.has(sign))
}

/**
 * Returns how much of each of an answer's blocks stays after what was said before it, in order. `filler`: none of its
 * text is the model's.
 */
export function keptOf(parts: readonly Part[], before: SaidBefore, filler: boolean): Kept[] {
  const whole = withoutBlanks(parts.map(({ block }) => textOf(block) ?? '').join(''))
  /** characters that are not blank and still have to go */
  let left = whole.startsWith(before.text) ? before.text.length : 0
  let cutting = left > 0
  return parts.map(({ block }) => {
    const text = textOf(block)
    if (text === null) return isIn(block, before) ? 'none' : 'all'
    if (filler) return 'none'
    if (!cutting) return 'all'
    const size = withoutBlanks(text).length
    if (size <= left) {
      left -= size
      return 'none'
    }
    cutting = false
    return left === 0 ? 'all' : { text: behind(text, left) }
  })
}

/** Returns the text after so many characters that are not blank, and after the blanks that follow them. */
function behind(text: string, signs: number): string {
  let at = 0
  for (let left = signs; left > 0; at++) if (!/\s/.test(text.charAt(at))) left--
  return text.slice(at).trimStart()
}
