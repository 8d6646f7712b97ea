import { withoutBlanks } from '../../server-tools/types.ts'
import { asList, asName, asObject, asText, type JsonObject, parseObject, withoutElements } from '../../values.ts'
import { partText, visibleText } from './visible-text.ts'
import { type Edit, elements, isString, member, splice } from '../../json-bytes/index.ts'
import { rootOf } from '../../json-members.ts'

interface ClientItem {
  bytes: Buffer
  value: JsonObject
}

/**
 * Returns the remainder of a client's items once those of earlier rounds are put before them unchanged; null for an
 * item that is removed. Clients leave out ids and thinking and join texts, so texts are compared character by character
 * without white space, and thoughts by their id, seal or text.
 */
export function leftOfCopy(items: readonly ClientItem[], before: readonly JsonObject[]): (Buffer | null)[] {
  const known = before.filter((item) => !isMessage(item))
  const shown = withoutBlanks(
    before
      .filter((item) => isMessage(item) && item['role'] === 'assistant')
      .map(visibleText)
      .join(''),
  )
  const own = withoutBlanks(
    items
      .filter(({ value }) => isMessage(value))
      .map(({ value }) => visibleText(value))
      .join(''),
  )
  // A text that begins differently is no copy, so it stays.
  let signs = own.startsWith(shown) ? shown.length : 0
  return items.map(({ bytes, value }) => {
    if (isMessage(value)) {
      const { rest, lacking } = messageBehind(bytes, signs)
      signs = lacking
      return rest
    }
    const at = known.findIndex((item) => isSame(item, value))
    if (at < 0) return bytes
    // Each matches one copy only: the same search may have been made twice.
    known.splice(at, 1)
    return null
  })
}

export const isMessage = (item: JsonObject): boolean => (item['type'] ?? 'message') === 'message'

function isSame(item: JsonObject, copy: JsonObject): boolean {
  const id = asName(copy['id'])
  if (id !== null && id === asName(item['id'])) return true
  if (item['type'] !== copy['type']) return false
  const seal = asName(copy['encrypted_content'])
  if (seal !== null && asName(item['encrypted_content']) !== null) return seal === item['encrypted_content']
  if (item['type'] === 'reasoning') return thought(copy) !== '' && thought(copy) === thought(item)
  return asText(item['type'])?.endsWith('_call') === true && facts(item) === facts(copy)
}

const thought = (item: JsonObject): string =>
  withoutBlanks(
    [...asList(item['summary']), ...asList(item['content'])]
      .map((part) => asText(asObject(part)?.['text']) ?? '')
      .join(''),
  )

/**
 * Returns the members of an item beside its id and state, which clients leave out, as they do members without a value.
 */
function facts(item: JsonObject): string {
  return JSON.stringify(
    Object.entries(item)
      .filter(([name, value]) => name !== 'id' && name !== 'status' && value !== null && value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

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
function messageBehind(message: Buffer, signs: number): { rest: Buffer | null; lacking: number } {
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
