import { appendingMembers, userContent } from '../../append/append-items.ts'
import { toolListOf, toolListEdits } from '../../lens/lens.ts'
import { placeOf, requestObject } from '../request-lens.ts'
import { resultItems, resultsBeside } from '../../server-tools/results.ts'
import type { ServerToolCodec, HiddenNames, PlacedCall, RoundSaid } from '../../server-tools/types.ts'
import { cannotDeclare, clientTools, declare, turns } from './declare.ts'
import { filter, filterBody, hasContent } from './filter.ts'
import { restore, callKey } from './restore.ts'
import { elements, member, type Span } from '../../json-bytes/index.ts'
import { rootOf } from '../../json-bytes/walk.ts'
import type { WholeAnswer } from '../../answer/whole-answer.ts'
import { asName, parseObject } from '../../values.ts'
import { call as callOf, text as visibleText } from '../facts.ts'
import { geminiAnswerItems } from '../append-round.ts'

export const geminiServerTools: ServerToolCodec = {
  ...appendingMembers,
  clientTools,
  cannotDeclare,
  declare,
  filter,
  filterBody,
  hasContent,
  readAnswer: (answer, _lens, names) => readAnswer(answer, names),
  resultItems: (results) => resultItems('gemini', results),
  userItem: userContent,
  resultsBeside: (results) => resultsBeside('gemini', results),
  turns,
  restore,
  toolsAsSent: (lens) => toolListOf(lens, placeOf(lens, 'tools')),
  withTools: (lens, tools) => toolListEdits(lens, tools, requestObject(lens)),
}

function readAnswer(answer: WholeAnswer, names: HiddenNames): RoundSaid {
  const items = geminiAnswerItems(answer)
  const hidden: PlacedCall[] = []
  const calls: string[] = []
  let text = ''
  for (const [item, at] of items.flatMap(partsOf)) {
    const json = item.subarray(at.start, at.end)
    const part = parseObject(json) ?? {}
    text += visibleText(part) ?? ''
    const call = callOf(part)
    if (!call) continue
    const name = asName(call['name']) ?? ''
    if (!names.has(name)) {
      calls.push(callKey(call))
      continue
    }
    // Models of other APIs number theirs `call_0`.
    const id = asName(call['id']) ?? `#call_${hidden.length + calls.length}`
    hidden.push({
      call: { id, name, arguments: JSON.stringify(call['args'] ?? {}) },
      json: json.toString(),
      callsBefore: calls.length,
    })
  }
  return { items, text, hidden, calls }
}

function partsOf(item: Buffer): [Buffer, Span][] {
  const parts = member(item, rootOf(item), 'parts')
  return parts ? elements(item, parts).map((at) => [item, at]) : []
}
