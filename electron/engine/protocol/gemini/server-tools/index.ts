import { appendingMembers, userContent } from '../../append/append-items.ts'
import { toolListOf, toolListEdits } from '../../lens/lens.ts'
import { placeOf, requestObject } from '../request-lens.ts'
import { resultItems, resultsBeside } from '../../server-tools/results.ts'
import type { ServerToolCodec } from '../../server-tools/types.ts'
import { cannotDeclare, clientTools, declare, turns } from './declare.ts'
import { filter, filterBody, hasContent } from './filter.ts'
import { readAnswer } from './read-answer.ts'
import { restore } from './restore.ts'

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
