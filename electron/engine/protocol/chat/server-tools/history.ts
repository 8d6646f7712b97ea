import { decode, members, stringOf } from '../../json-bytes/index.ts'
import { withoutBlanks, type AssistantTurn } from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'
import { asList, asObject } from '../../values.ts'
import { readCallEntry } from '../call-finder.ts'
import { text as visibleText } from '../facts.ts'

/** All answers of a request's history: assistant messages in a row are one. */
export function turns({ body, items }: RequestLens): AssistantTurn[] {
  const found: AssistantTurn[] = []
  for (const [index, item] of items().entries()) {
    const [role = null, content, calls] = members(body, item, ['role', 'content', 'tool_calls'])
    if (stringOf(body, role) !== 'assistant') continue
    const text = content ? withoutBlanks(visibleText(decode(body, content))) : ''
    const ids = asList(calls ? decode(body, calls) : null).map(callId)
    const before = found.at(-1)
    if (before?.last === index - 1)
      found.splice(-1, 1, { ...before, last: index, text: before.text + text, calls: [...before.calls, ...ids] })
    else found.push({ first: index, last: index, text, calls: ids })
  }
  return found
}

function callId(value: unknown): string {
  const { id, name } = readCallEntry(asObject(value) ?? {})
  return id ?? name ?? ''
}
