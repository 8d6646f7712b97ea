import { appendAfterLastItem, insertsBehind, type Wrap } from '../../append/append-items.ts'
import { hasMovingMark } from '../../append/moving-mark.ts'
import { elements, isString, member, stringOf, type Edit, type Span } from '../../json-bytes/index.ts'
import type { RequestLens } from '../../types.ts'
import { roleOf } from './history.ts'
import { userItem } from './results.ts'

/** Neighbouring messages of the user are one to Anthropic, results in front of the words. */
export const appendAfterLast = (lens: RequestLens, items: readonly Buffer[]): Edit[] =>
  endsInSystem(lens) ? [] : appendAfterLastItem(lens, lens.place('messages'), items)

/**
 * Adds the time tag as one more block after a tool's results, or whatever the user's last blocks are; a bare text
 * becomes the first block: not every server that speaks Anthropic's protocol takes the user twice in a row. Otherwise
 * it is a message of its own.
 */
export function appendTimeTag(lens: RequestLens, line: string): Edit[] {
  const { body } = lens
  const last = lens.items().at(-1)
  if (!last || endsInSystem(lens) || hasMovingMark(lens)) return []
  const content = roleOf(body, last) === 'user' ? member(body, last, 'content') : null
  const block = Buffer.from(JSON.stringify({ type: 'text', text: line }))
  const inside = content && saysAnything(body, content) ? insertsBehind(body, content, [block], bareText) : null
  return inside ?? appendAfterLast(lens, [userItem(line)])
}

const bareText: Wrap = (body, at) => (isString(body, at) ? { before: '{"type":"text","text":', after: '}' } : null)

/**
 * Anthropic refuses a user's message after a system message, which Claude Code may send last: "role 'system' must
 * precede an 'assistant' message or end the array" (https://github.com/diillson/chatcli/pull/1523); so it does with the
 * block that says the same. One without words, which only sets options, may stand anywhere.
 */
function endsInSystem({ body, items }: RequestLens): boolean {
  const last = items().at(-1)
  const content = last ? member(body, last, 'content') : null
  if (!last || !content) return false
  if (roleOf(body, last) === 'system') return saysAnything(body, content)
  const block = elements(body, content).at(-1)
  return block !== undefined && stringOf(body, member(body, block, 'type')) === 'mid_conv_system'
}

const saysAnything = (body: Buffer, content: Span): boolean =>
  isString(body, content) || elements(body, content).length > 0
