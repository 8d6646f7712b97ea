import { turnsIn, withoutBlanks, type AssistantTurn } from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'
import { call as callOf, text as visibleText } from '../facts.ts'
import { contentsOf } from '../request-place.ts'
import { isModels, partsIn } from './contents.ts'
import { callKey } from './parts.ts'

/** SDKs keep a stream as one content per chunk, so neighbours are one answer. */
export const turns = (lens: RequestLens): AssistantTurn[] =>
  turnsIn(contentsOf(lens), (content) => {
    if (!isModels(lens.body, content)) return null
    const parts = partsIn(lens.body, content).map(({ value }) => value)
    return {
      text: withoutBlanks(parts.map((part) => visibleText(part) ?? '').join('')),
      calls: parts
        .map(callOf)
        .filter((call) => call !== null)
        .map(callKey),
    }
  })
