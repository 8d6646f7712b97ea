import { decode, members, stringOf } from '../../json-bytes/index.ts'
import { turnsIn, withoutBlanks, type AssistantTurn } from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'
import { asList, asObject } from '../../values.ts'
import { readCallEntry } from '../call-finder.ts'
import { text as visibleText } from '../facts.ts'

export const turns = ({ body, items }: RequestLens): AssistantTurn[] =>
  turnsIn(items(), (item) => {
    const [role = null, content, calls] = members(body, item, ['role', 'content', 'tool_calls'])
    if (stringOf(body, role) !== 'assistant') return null
    const text = content ? withoutBlanks(visibleText(decode(body, content))) : ''
    return { text, calls: asList(calls ? decode(body, calls) : null).map(callId) }
  })

function callId(value: unknown): string {
  const { id, name } = readCallEntry(asObject(value) ?? {})
  return id ?? name ?? ''
}
