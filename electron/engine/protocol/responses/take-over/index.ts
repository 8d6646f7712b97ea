import { additionalTools } from '../additional-tools.ts'
import { toolListOf, withToolList } from '../../append/tool-list.ts'
import type { TakeOver } from '../../take-over/types.ts'
import { behind, tagBehind } from './behind.ts'
import { cannotDeclare, clientTools, declareTools } from './declare.ts'
import { filterResponsesBody, responsesFilter } from './filter.ts'
import { responsesTurns } from './history.ts'
import { appendToInput, resultItems, resultsBeside, resultsInFront, userItem } from './items.ts'
import { readResponsesAnswer } from './read-answer.ts'
import { restoreAnswer } from './restore.ts'
import { withoutEcho } from './without-echo.ts'
import { says } from './says.ts'

export const responsesTakeOver: TakeOver = {
  clientTools,
  cannotDeclare,
  declare: declareTools,
  filter: responsesFilter,
  filterBody: filterResponsesBody,
  withoutEcho,
  says,
  readAnswer: readResponsesAnswer,
  resultItems,
  userItem,
  append: appendToInput,
  resultsBeside,
  turns: responsesTurns,
  restore: restoreAnswer,
  resultsFor: resultsInFront,
  behind,
  tagBehind,
  toolsAsSent: (lens) => toolListOf(lens) ?? toolListOf(lens, additionalTools(lens.body, lens.items())),
  withTools: withToolList,
}
