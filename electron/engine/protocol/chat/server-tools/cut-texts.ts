import {
  decode,
  decodeString,
  elements,
  isString,
  member,
  splice,
  stringOf,
  type Edit,
  type Span,
} from '../../json-bytes/index.ts'
import { rootOf, setMembers } from '../../json-members.ts'
import { withoutElements } from '../../list-edits.ts'
import { textCutter } from './text-cutter.ts'
import { text as visibleText } from '../facts.ts'

/**
 * Returns the client's messages without the text that other messages already have: however the client joined it, it
 * stands at the beginning. `all`: without any text. Messages that stay as they are are the same buffers.
 */
export function cutTexts(messages: readonly Buffer[], shown: string, all: boolean): Buffer[] {
  const text = messages
    .map((message) => {
      const content = member(message, rootOf(message), 'content')
      return content ? visibleText(decode(message, content)) : ''
    })
    .join('')
  const cut = all ? () => '' : textCutter(text, shown)
  return cut ? messages.map((message) => cutMessage(message, cut)) : [...messages]
}

function cutMessage(message: Buffer, cut: (text: string) => string): Buffer {
  const content = member(message, rootOf(message), 'content')
  if (!content) return message
  if (isString(message, content)) {
    const text = decodeString(message, content)
    const left = cut(text)
    return left === text
      ? message
      : splice(message, [{ ...content, replacement: left === '' ? 'null' : JSON.stringify(left) }])
  }
  const parts = elements(message, content)
  const edits: Edit[] = []
  const gone = new Set<number>()
  for (const [i, part] of parts.entries()) {
    const at = textOf(message, part)
    const text = at && decodeString(message, at)
    const left = text === null ? null : cut(text)
    if (left === null || left === text) continue
    if (left === '') gone.add(i)
    else if (at) edits.push({ ...at, replacement: JSON.stringify(left) })
  }
  if (gone.size > 0 && gone.size === parts.length) return setMembers(message, { content: 'null' })
  return splice(message, [...edits, ...withoutElements(parts, (i) => gone.has(i))])
}

function textOf(message: Buffer, part: Span): Span | null {
  const text = stringOf(message, member(message, part, 'type')) === 'text' ? member(message, part, 'text') : null
  return text && isString(message, text) ? text : null
}
