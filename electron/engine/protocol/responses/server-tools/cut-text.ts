import { withoutElements } from '../../list-edits.ts'
import { elements, isString, member, splice, type Edit } from '../../json-bytes/index.ts'
import { rootOf } from '../../json-members.ts'
import { asText, parseObject } from '../../values.ts'
import { partText } from './visible-text.ts'

/**
 * Returns the rest of a text after its first `signs` characters other than white space, and how many of them it lacked.
 */
function behind(text: string, signs: number): { rest: string; lacking: number } {
  let left = signs
  let at = 0
  for (; at < text.length && left > 0; at++) if (!/\s/.test(text.charAt(at))) left--
  // The white space that joined the cut text to its rest is part of neither.
  return { rest: text.slice(at).trimStart(), lacking: left }
}

/**
 * Returns a message without the first `signs` characters of its text, not counting white space; null if nothing is
 * left.
 */
export function messageBehind(message: Buffer, signs: number): { rest: Buffer | null; lacking: number } {
  if (signs === 0) return { rest: message, lacking: 0 }
  const content = member(message, rootOf(message), 'content')
  if (!content) return { rest: message, lacking: signs }
  if (isString(message, content)) {
    const { rest, lacking } = behind(asText(parseObject(message)?.['content']) ?? '', signs)
    return { rest: rest === '' ? null : splice(message, [{ ...content, replacement: JSON.stringify(rest) }]), lacking }
  }
  const parts = elements(message, content)
  const gone = new Set<number>()
  const edits: Edit[] = []
  let lacking = signs
  for (const [i, part] of parts.entries()) {
    const value = parseObject(message.subarray(part.start, part.end))
    const text = partText(value)
    if (lacking === 0 || text === null) continue
    const cut = behind(text, lacking)
    lacking = cut.lacking
    const at = member(message, part, asText(value?.['text']) === null ? 'refusal' : 'text')
    if (cut.rest === '') gone.add(i)
    else if (at) edits.push({ ...at, replacement: JSON.stringify(cut.rest) })
  }
  if (gone.size === parts.length) return { rest: null, lacking }
  return { rest: splice(message, [...edits, ...withoutElements(parts, (i) => gone.has(i))]), lacking }
}
