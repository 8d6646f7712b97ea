import { appendingMembers } from '../../append/append-items.ts'
import { additionalTools } from '../request-lens.ts'
import { toolListOf } from '../../lens/lens.ts'
import { resultItems, resultsBeside } from '../../server-tools/results.ts'
import type { ServerToolCodec } from '../../server-tools/types.ts'
import { cannotDeclare, clientTools, declareTools, responsesTurns } from './declare.ts'
import { filterResponsesBody, responsesFilter, hasContent } from './filter.ts'
import { readResponsesAnswer } from './read-answer.ts'
import { restoreAnswer, resultsInFront } from './restore.ts'
import { withoutEcho } from './without-echo.ts'

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
