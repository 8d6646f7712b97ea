import type { WholeAnswer } from '../../answer/whole-answer.ts'
import type { HiddenNames, PlacedCall, RoundSaid } from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'
import { asName, asText, parseObject, type JsonObject } from '../../values.ts'
import { answerOutput, responsesAnswerItems } from '../append-round.ts'
import { isHiddenCall } from './filter.ts'
import { visibleText } from './visible-text.ts'

/** Reads one round's answer; of a malformed one, whatever can be read. */
export function readResponsesAnswer(answer: WholeAnswer, lens: RequestLens, names: HiddenNames): RoundSaid {
  const texts: string[] = []
  const hidden: PlacedCall[] = []
  const calls: string[] = []
  for (const json of answerOutput(answer)) {
    const item = parseObject(json)
    if (!item) continue
    if (item['type'] === 'message') texts.push(visibleText(item))
    if (isHiddenCall(item, names))
      hidden.push({ call: hiddenCall(item), json: json.toString(), callsBefore: calls.length })
    else calls.push(...callOf(item))
  }
  return {
    items: responsesAnswerItems(answer, lens),
    text: texts.filter((text) => text !== '').join('\n\n'),
    hidden,
    calls,
  }
}

function hiddenCall(item: JsonObject): PlacedCall['call'] {
  const written = item['arguments']
  return {
    id: asText(item['call_id']) ?? '',
    name: asText(item['name']) ?? '',
    arguments: asText(written) ?? (written === undefined ? '' : JSON.stringify(written)),
  }
}

/** Returns the id of a call the client has to answer, as a list. Calls that the provider runs itself have none. */
export function callOf(item: JsonObject): string[] {
  const id = asName(item['call_id'])
  return id !== null && asText(item['type'])?.endsWith('_call') ? [id] : []
}
