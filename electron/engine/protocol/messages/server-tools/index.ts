import { appendingMembers } from '../../append/append-items.ts'
import { resultItems, resultsBeside } from '../../server-tools/results.ts'
import type { ServerToolCodec } from '../../server-tools/types.ts'
import { cannotDeclare, clientTools, declare, turns } from './declare.ts'
import { filterBody, filter, hasContent } from './filter.ts'
import { readAnswer } from './read-answer.ts'
import { restore } from './restore.ts'

export const messagesServerTools: ServerToolCodec = {
  ...appendingMembers,
  clientTools,
  cannotDeclare,
  declare,
  filter,
  filterBody,
  hasContent,
  readAnswer: (answer, _lens, names) => readAnswer(answer, names),
  resultItems: (results) => resultItems('messages', results),
  resultsBeside: (results) => resultsBeside('messages', results),
  turns,
  restore,
}
