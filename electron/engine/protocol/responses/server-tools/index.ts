import { additionalTools } from '../additional-tools.ts'
import { toolListOf, toolListEdits } from '../../append/tool-list.ts'
import type { ServerToolCodec } from '../../server-tools/types.ts'
import { appendAfterLast, appendTimeTag } from './append-after-last.ts'
import { cannotDeclare, clientTools, declareTools } from './declare.ts'
import { filterResponsesBody, responsesFilter } from './filter.ts'
import { responsesTurns } from './history.ts'
import { appendToInput, resultItems, resultsBeside, resultsInFront, userItem } from './items.ts'
import { readResponsesAnswer } from './read-answer.ts'
import { restoreAnswer } from './restore.ts'
import { withoutEcho } from './without-echo.ts'
import { hasContent } from './has-content.ts'

export const responsesServerTools: ServerToolCodec = {
  clientTools,
  cannotDeclare,
  declare: declareTools,
  filter: responsesFilter,
  filterBody: filterResponsesBody,
  withoutEcho,
  hasContent,
  readAnswer: readResponsesAnswer,
  resultItems,
  userItem,
  append: appendToInput,
  resultsBeside,
  turns: responsesTurns,
  restore: restoreAnswer,
  resultsFor: resultsInFront,
  appendAfterLast,
  appendTimeTag,
  toolsAsSent: (lens) => toolListOf(lens) ?? toolListOf(lens, additionalTools(lens.body, lens.items())),
  withTools: toolListEdits,
}
