import { toolListOf, toolListEdits } from '../../append/tool-list.ts'
import { appendItems } from '../../append/append-items.ts'
import { userMessage } from '../../append/user-message.ts'
import type { ServerToolCodec } from '../../server-tools/types.ts'
import { appendAfterLast, appendTimeTag } from './append-after-last.ts'
import { cannotDeclare, clientTools, declare } from './declare.ts'
import { chatFilter } from './filter.ts'
import { filterChatBody } from './filter-body.ts'
import { turns } from './history.ts'
import { readAnswer } from './read-answer.ts'
import { restore } from './restore.ts'
import { resultsBeside } from './results.ts'
import { chatSays } from './has-content.ts'

export const chatServerTools: ServerToolCodec = {
  clientTools,
  cannotDeclare,
  declare,
  filter: chatFilter,
  filterBody: filterChatBody,
  hasContent: chatSays,
  readAnswer: (answer, _lens, names) => readAnswer(answer, names),
  resultItems: (results) => resultsBeside(results).map((item) => Buffer.from(item)),
  userItem: userMessage,
  append: (lens, items) => appendItems(lens, 'messages', items),
  resultsBeside,
  turns,
  restore,
  appendAfterLast,
  appendTimeTag,
  toolsAsSent: toolListOf,
  withTools: toolListEdits,
}
