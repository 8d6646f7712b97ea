import { elementsOf, listOf, setMembers } from '../../json-members.ts'
import type { HiddenHistory } from '../../server-tools/types.ts'

/** The client's messages with hidden calls among its own: in the message that has calls, else in the last. */
export function placeCalls(messages: readonly Buffer[], hidden: HiddenHistory['calls']): Buffer[] {
  if (hidden.length === 0) return [...messages]
  const own = messages.map((message) => elementsOf(message, 'tool_calls'))
  const withCalls = own.findLastIndex((calls) => calls.length > 0)
  const target = withCalls < 0 ? messages.length - 1 : withCalls
  return messages.map((message, i) =>
    i === target ? setMembers(message, { tool_calls: listOf(together(own[i] ?? [], hidden)) }) : message,
  )
}

function together(own: readonly Buffer[], hidden: HiddenHistory['calls']): Buffer[] {
  const standsAt = (place: number): Buffer[] =>
    hidden.filter(({ callsBefore }) => Math.min(callsBefore, own.length) === place).map(({ json }) => Buffer.from(json))
  return [...own.flatMap((call, place) => [...standsAt(place), call]), ...standsAt(own.length)]
}
