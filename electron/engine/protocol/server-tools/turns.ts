import type { Span } from '../json-bytes/index.ts'
import type { AssistantTurn } from './types.ts'

/** All answers of a history: the assistant's items in a row are one. `said`: null for an item of another role. */
export function turnsIn(
  items: readonly Span[],
  said: (item: Span) => Pick<AssistantTurn, 'text' | 'calls'> | null,
): AssistantTurn[] {
  const found: AssistantTurn[] = []
  for (const [index, item] of items.entries()) {
    const here = said(item)
    if (!here) continue
    const before = found.at(-1)
    if (before?.last !== index - 1) found.push({ first: index, last: index, ...here })
    else {
      const [text, calls] = [before.text + here.text, [...before.calls, ...here.calls]]
      found[found.length - 1] = { first: before.first, last: index, text, calls }
    }
  }
  return found
}
