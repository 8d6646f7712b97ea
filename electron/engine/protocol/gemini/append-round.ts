import type { WholeAnswer } from '../answer/whole-answer.ts'
import { answerEvents } from '../answer/whole-answer.ts'
import { asObject, asText, parseObject, type JsonObject } from '../values.ts'
import { addPartialArgs } from './convert/partial-args.ts'
import type { Draft } from './convert/members.ts'
import * as facts from './facts.ts'

/** Returns the first candidate's content; nothing if it is empty. Thought signatures stay on their parts. */
export function geminiAnswerItems(answer: WholeAnswer): Buffer[] {
  const responses = answerEvents(answer)?.map(({ value }) => value) ?? [parseObject(answer.body) ?? {}]
  const parts = joinedTexts(wholeCalls(responses.flatMap(partsOf))).filter(saysSomething)
  return parts.length === 0 ? [] : [Buffer.from(JSON.stringify({ role: 'model', parts }))]
}

const partsOf = (response: JsonObject): JsonObject[] => facts.parts(facts.candidates(response).find(facts.isFirst))

/** Joins the pieces of one text again; a part with anything else in it, above all a signature, stays by itself. */
function joinedTexts(parts: readonly JsonObject[]): JsonObject[] {
  const joined: JsonObject[] = []
  for (const part of parts) {
    const before = joined.at(-1)
    if (!before || !isBareText(before) || !isBareText(part) || before['thought'] !== part['thought']) joined.push(part)
    else joined[joined.length - 1] = { ...before, text: `${asText(before['text']) ?? ''}${asText(part['text']) ?? ''}` }
  }
  return joined
}

const isBareText = (part: JsonObject): boolean =>
  asText(part['text']) !== null && Object.keys(part).every((name) => name === 'text' || name === 'thought')

const saysSomething = (part: JsonObject): boolean => !(isBareText(part) && part['text'] === '')

/** A call whose arguments came in pieces (Vertex AI) becomes one part with all of them, as requests need it. */
function wholeCalls(parts: readonly JsonObject[]): JsonObject[] {
  const whole: JsonObject[] = []
  let open: { args: Draft } | null = null
  for (const part of parts) {
    const call = facts.call(part)
    const isPiece = open !== null || call?.['partialArgs'] !== undefined || call?.['willContinue'] !== undefined
    if (!call || !isPiece) {
      whole.push(part)
      continue
    }
    // An empty call without a name ends the call before it.
    const begun: { args: Draft } | null = open
    const args: Draft = begun ? begun.args : { ...asObject(call['args']) }
    addPartialArgs(args, call['partialArgs'])
    if (!begun) {
      const { partialArgs: _pieces, willContinue: _more, ...rest } = call
      const { function_call: _snake, ...others } = part
      whole.push({ ...others, functionCall: { ...rest, args } })
    }
    open = call['willContinue'] === true ? { args } : null
  }
  return whole
}
