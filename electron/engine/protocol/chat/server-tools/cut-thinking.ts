import { decode, elements, member, splice, stringOf, type Edit, type Span } from '../../json-bytes/index.ts'
import { rootOf } from '../../json-members.ts'
import { withoutElements, asName, asObject, type JsonObject } from '../../values.ts'
import { withoutBlanks, textCutter } from '../../server-tools/types.ts'
import { withoutMember } from '../../without-member.ts'
import { thinkingLists, thinkingTexts } from '../facts.ts'
import type { Shown } from './shown.ts'

/** The client's messages without the thinking that other messages already have. */
export function cutThinking(messages: readonly Buffer[], shown: Shown): Buffer[] {
  return messages.map((message) =>
    thinkingLists.reduce(
      (left, name) => cutList(left, name, shown.details),
      thinkingTexts.reduce((left, name) => cutText(left, name, shown.thinking), message),
    ),
  )
}

function cutText(message: Buffer, name: string, shown: string): Buffer {
  const at = member(message, rootOf(message), name)
  const text = stringOf(message, at)
  const cut = text === null ? null : textCutter(text, shown)
  if (!at || text === null || !cut) return message
  const left = cut(text)
  return left === '' ? withoutMember(message, name) : splice(message, [{ ...at, replacement: JSON.stringify(left) }])
}

function cutList(message: Buffer, name: string, shown: readonly JsonObject[]): Buffer {
  const at = member(message, rootOf(message), name)
  const entries = at && elements(message, at)
  if (!entries || shown.length === 0) return message
  const isShown = entries.map((entry) => shown.some((other) => isSame(other, asObject(decode(message, entry)) ?? {})))
  if (isShown.length > 0 && !isShown.includes(false)) return withoutMember(message, name)
  const all = shown
    .map((entry) => words.map((word) => asName(entry[word])).find((text) => text !== null) ?? '')
    .join('')
  const cuts = entries.flatMap((entry, i) => (isShown[i] ? [] : prefixCuts(message, entry, all)))
  return splice(message, [...cuts, ...withoutElements(entries, (i) => isShown[i] === true)])
}

/** A client that joins pieces in a row keeps the last signature, which is that of what remains. */
function prefixCuts(message: Buffer, entry: Span, shown: string): Edit[] {
  return words.flatMap((word) => {
    const at = member(message, entry, word)
    const text = stringOf(message, at)
    const left = text === null ? null : (textCutter(text, shown)?.(text) ?? null)
    return at && left ? [{ ...at, replacement: JSON.stringify(left) }] : []
  })
}

/** Members that distinguish one piece of thinking from another, the surest first. */
const marks = ['signature', 'data', 'id'] as const
const words = ['text', 'thinking', 'summary'] as const

function isSame(a: JsonObject, b: JsonObject): boolean {
  for (const mark of marks) {
    const [one, other] = [asName(a[mark]), asName(b[mark])]
    if (one !== null && other !== null) return one === other
  }
  return words.some(
    (word) => asName(a[word]) !== null && withoutBlanks(asName(a[word]) ?? '') === withoutBlanks(asName(b[word]) ?? ''),
  )
}
