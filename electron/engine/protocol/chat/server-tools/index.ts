import { appendingMembers } from '../../append/append-items.ts'
import { resultItems, resultsBeside } from '../../server-tools/results.ts'
import type { ServerToolCodec } from '../../server-tools/types.ts'
import { cannotDeclare, clientTools, declare, turns } from './declare.ts'
import { chatFilter, filterChatBody, chatSays } from './filter.ts'
import { readAnswer } from './read-answer.ts'
import { restore } from './restore.ts'

export const chatServerTools: ServerToolCodec = {
  ...appendingMembers,
  clientTools,
  cannotDeclare,
  declare,
  filter: chatFilter,
  filterBody: filterChatBody,
  hasContent: chatSays,
  readAnswer: (answer, _lens, names) => readAnswer(answer, names),
  resultItems: (results) => resultItems('chat', results),
  resultsBeside: (results) => resultsBeside('chat', results),
  turns,
  restore,
}
