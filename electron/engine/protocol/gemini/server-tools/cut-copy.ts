import { textCutter, withoutBlanks } from '../../server-tools/types.ts'
import { sortedJson, type JsonObject } from '../../values.ts'
import { call as callOf, text as visibleText } from '../facts.ts'
import { isBlank, signatureOf, thoughtText } from './parts.ts'

/**
 * Returns the remainder of a part of the client's answer; null if nothing remains, the same object if all of it does.
 */
type CutPart = (part: JsonObject) => JsonObject | null

/**
 * Takes the client's copy of earlier rounds out of its answer: `before` are the parts of those rounds, `shown` all of
 * the client's. Call it for each part of `shown` once, in order.
 */
export function copyCutter(before: readonly JsonObject[], shown: readonly JsonObject[]): CutPart {
  const cutText = textCutter(joined(shown, visibleText), joined(before, visibleText)) ?? keepAll
  const cutThought = thoughtCutter(joined(before, thoughtText), joined(shown, thoughtText))
  const signatures = new Set(before.flatMap((part) => signatureOf(part) ?? []))
  const others = before.filter(isOther).map(sortedJson)

  function cut(part: JsonObject, text: string, rest: string): JsonObject | null {
    const isKnown = signatures.has(signatureOf(part) ?? '')
    if (rest === text && !isKnown) return part
    const { thoughtSignature, thought_signature, ...unsigned } = part
    const left = {
      ...unsigned,
      text: rest,
      ...(isKnown || thoughtSignature === undefined ? {} : { thoughtSignature }),
      ...(isKnown || thought_signature === undefined ? {} : { thought_signature }),
    }
    return isBlank(left) ? null : left
  }

  return (part) => {
    if (isOther(part)) {
      const copy = others.indexOf(sortedJson(part))
      if (copy >= 0) others.splice(copy, 1)
      return copy >= 0 ? null : part
    }
    const text = visibleText(part)
    if (text !== null) return cut(part, text, cutText(text))
    const thought = thoughtText(part)
    if (thought === null) return part
    const rest = cutThought(thought)
    if (rest === thought) return signatures.has(signatureOf(part) ?? '') ? null : part
    // A removed thought loses its signature too.
    return rest === '' ? null : cut(part, thought, rest)
  }
}

const joined = (parts: readonly JsonObject[], textOf: (part: JsonObject) => string | null): string =>
  parts.map((part) => textOf(part) ?? '').join('')
/** True for an image, code that ran, … */
const isOther = (part: JsonObject): boolean =>
  visibleText(part) === null && thoughtText(part) === null && callOf(part) === null

type CutText = (text: string) => string
const keepAll: CutText = (text) => text

/** Thoughts are joined without white space; if a client has only some of them, each is looked up by itself. */
function thoughtCutter(said: string, shown: string): CutText {
  const whole = withoutBlanks(said)
  if (whole === '') return keepAll
  if (!withoutBlanks(shown).startsWith(whole)) return (text) => (whole.includes(withoutBlanks(text)) ? '' : text)
  const cutText = textCutter(shown, said) ?? keepAll
  let left = whole.length
  return (text) => {
    if (left <= 0) return text
    left -= withoutBlanks(text).length
    return cutText(text)
  }
}
