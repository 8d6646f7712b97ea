import { toolListOf, withToolList } from '../../append/tool-list.ts'
import { appendItems } from '../../append/append-items.ts'
import { userMessage } from '../../append/user-message.ts'
import type { TakeOver } from '../../take-over/types.ts'
import { behind, tagBehind } from './behind.ts'
import { cannotDeclare, clientTools, declare } from './declare.ts'
import { filterBody } from './filter-body.ts'
import { filter } from './filter.ts'
import { turns } from './history.ts'
import { readAnswer } from './read-answer.ts'
import { restore } from './restore.ts'
import { resultItems, resultsBeside, userItem } from './results.ts'
import { says } from './says.ts'

export const messagesTakeOver: TakeOver = {
  clientTools,
  cannotDeclare,
  declare,
  filter,
  filterBody,
  says,
  readAnswer: (answer, _lens, names) => readAnswer(answer, names),
  resultItems,
  userItem,
  append: (lens, items) => appendItems(lens, 'messages', items, userMessage),
  resultsBeside,
  turns,
  restore,
  behind,
  tagBehind,
  toolsAsSent: toolListOf,
  withTools: withToolList,
}
