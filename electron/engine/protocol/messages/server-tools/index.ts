import { toolListOf, toolListEdits } from '../../append/tool-list.ts'
import { appendItems } from '../../append/append-items.ts'
import type { ServerToolCodec } from '../../server-tools/types.ts'
import { appendAfterLast, appendTimeTag } from './append-after-last.ts'
import { cannotDeclare, clientTools, declare } from './declare.ts'
import { filterBody } from './filter-body.ts'
import { filter } from './filter.ts'
import { turns } from './history.ts'
import { readAnswer } from './read-answer.ts'
import { restore } from './restore.ts'
import { resultItems, resultsBeside, userItem } from './results.ts'
import { hasContent } from './has-content.ts'

export const messagesServerTools: ServerToolCodec = {
  clientTools,
  cannotDeclare,
  declare,
  filter,
  filterBody,
  hasContent,
  readAnswer: (answer, _lens, names) => readAnswer(answer, names),
  resultItems,
  userItem,
  append: (lens, items) => appendItems(lens, 'messages', items),
  resultsBeside,
  turns,
  restore,
  appendAfterLast,
  appendTimeTag,
  toolsAsSent: toolListOf,
  withTools: toolListEdits,
}
