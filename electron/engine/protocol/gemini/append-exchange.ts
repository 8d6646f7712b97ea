import type { WholeAnswer } from '../answer/whole-answer.ts'
import { answerEvents } from '../answer/whole-answer.ts'
import { asList, asNumber, asObject, asText, parseObject, type JsonObject } from '../values.ts'
import { wholeCalls } from './whole-calls.ts'

/** The first candidate's content; nothing when there is nothing in it. Thought signatures stay on their parts. */
export function geminiAnswerItems(answer: WholeAnswer): Buffer[] {
  const responses = answerEvents(answer)?.map(({ value }) => value) ?? [parseObject(answer.body) ?? {}]
  const parts = wholeCalls(responses.flatMap(partsOf)).reduce<JsonObject[]>(joinedTexts, []).filter(saysSomething)
  return parts.length === 0 ? [] : [Buffer.from(JSON.stringify({ role: 'model', parts }))]
}

const partsOf = (response: JsonObject): JsonObject[] => {
  const first = asList(response['candidates'])
    .map(asObject)
    .find((candidate) => (asNumber(candidate?.['index']) ?? 0) === 0)
  return asList(asObject(first?.['content'])?.['parts'])
    .map(asObject)
    .filter((part) => part !== null)
}

/** Pieces of one text become one again; a part with anything else in it, a signature above all, stays by itself. */
function joinedTexts(parts: JsonObject[], part: JsonObject): JsonObject[] {
  const before = parts.at(-1)
  if (!before || !isBareText(before) || !isBareText(part) || before['thought'] !== part['thought'])
    return [...parts, part]
  return [...parts.slice(0, -1), { ...before, text: `${asText(before['text']) ?? ''}${asText(part['text']) ?? ''}` }]
}

const isBareText = (part: JsonObject): boolean =>
  asText(part['text']) !== null && Object.keys(part).every((name) => name === 'text' || name === 'thought')

const saysSomething = (part: JsonObject): boolean => !(isBareText(part) && part['text'] === '')
