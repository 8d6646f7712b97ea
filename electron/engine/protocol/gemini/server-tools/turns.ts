import { withoutBlanks, type AssistantTurn } from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'
import { call as callOf, text as visibleText } from '../facts.ts'
import { contentsOf } from '../request-place.ts'
import { isModels, partsIn } from './contents.ts'
import { callKey } from './parts.ts'

/** SDKs keep a stream as one content per chunk, so neighbours are one answer. */
export function turns(lens: RequestLens): AssistantTurn[] {
  const { body } = lens
  const found: AssistantTurn[] = []
  for (const [index, content] of contentsOf(lens).entries()) {
    if (!isModels(body, content)) continue
    const parts = partsIn(body, content).map(({ value }) => value)
    const text = withoutBlanks(parts.map((part) => visibleText(part) ?? '').join(''))
    const calls = parts
      .map(callOf)
      .filter((call) => call !== null)
      .map(callKey)
    const open = found.at(-1)
    if (open?.last === index - 1)
      found[found.length - 1] = { ...open, last: index, text: open.text + text, calls: [...open.calls, ...calls] }
    else found.push({ first: index, last: index, text, calls })
  }
  return found
}
