import { Frame } from '../../answer/frame.ts'
import { appendingMembers } from '../../append/append-items.ts'
import { withoutElements, asName, parseObject } from '../../values.ts'
import { additionalTools } from '../request-lens.ts'
import { eventFrame } from '../../join/types.ts'
import { elements, member, splice, type Edit, type Span } from '../../json-bytes/index.ts'
import { rootOf } from '../../json-bytes/walk.ts'
import { toolListOf } from '../../lens/lens.ts'
import { resultItems, resultsBeside } from '../../server-tools/results.ts'
import { type ServerToolCodec, frameScan, type HiddenNames } from '../../server-tools/types.ts'
import { cannotDeclare, clientTools, declareTools, responsesTurns } from './declare.ts'
import { filterResponsesBody, responsesFilter, hasContent } from './filter.ts'
import { readResponsesAnswer } from './read-answer.ts'
import { restoreAnswer, resultsInFront } from './restore.ts'

/**
 * A provider repeats the request as it got it (`Response` of the `openai` package: `tools`, `previous_response_id`).
 * This takes out again what Onward put into it; every other byte stays.
 */
function withoutEcho(frame: Frame, names: HiddenNames, previousResponseId: string | null): Frame {
  const { data } = frame
  if (!data || !repeats(frame) || !frame.value()) return frame
  const isBody = frame.raw[0] === 0x7b
  const response = isBody ? rootOf(data) : member(data, rootOf(data), 'response')
  const edits = response ? echoEdits(data, response, names, previousResponseId) : []
  if (edits.length === 0) return frame
  const own = splice(data, edits)
  return isBody ? Frame.of(own, own) : eventFrame(frame, own)
}

const repeats = frameScan(['tools', 'previous_response_id'])

function echoEdits(json: Buffer, response: Span, names: HiddenNames, previousResponseId: string | null): Edit[] {
  const previous = previousResponseId === null ? null : member(json, response, 'previous_response_id')
  const sent = JSON.stringify(previousResponseId)
  const tools = member(json, response, 'tools')
  const list = tools && json[tools.start] === 0x5b ? elements(json, tools) : []
  const isOurs = (i: number): boolean => {
    const tool = parseObject(json.subarray(list[i]?.start, list[i]?.end))
    return tool?.['type'] === 'function' && names.has(asName(tool['name']) ?? '')
  }
  return [
    ...(previous && json.toString('utf8', previous.start, previous.end) !== sent
      ? [{ ...previous, replacement: sent }]
      : []),
    ...withoutElements(list, isOurs),
  ].sort((a, b) => a.start - b.start)
}

export const responsesServerTools: ServerToolCodec = {
  ...appendingMembers,
  clientTools,
  cannotDeclare,
  declare: declareTools,
  filter: responsesFilter,
  filterBody: filterResponsesBody,
  withoutEcho,
  hasContent,
  readAnswer: readResponsesAnswer,
  resultItems: (results) => resultItems('responses', results),
  resultsBeside: (results) => resultsBeside('responses', results),
  turns: responsesTurns,
  restore: restoreAnswer,
  resultsFor: resultsInFront,
  toolsAsSent: (lens) => toolListOf(lens) ?? toolListOf(lens, additionalTools(lens.body, lens.items())),
}
