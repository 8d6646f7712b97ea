import { toolListOf, withToolList } from '../../append/tool-list.ts'
import { appendItems } from '../../append/append-items.ts'
import type { TakeOver } from '../../take-over/types.ts'
import { behind, tagBehind } from './behind.ts'
import { cannotDeclare, clientTools, declare } from './declare.ts'
import { chatFilter } from './filter.ts'
import { filterChatBody } from './filter-body.ts'
import { turns } from './history.ts'
import { readAnswer } from './read-answer.ts'
import { restore } from './restore.ts'
import { resultsBeside } from './results.ts'
import { chatSays } from './says.ts'

export const chatTakeOver: TakeOver = {
  clientTools,
  cannotDeclare,
  declare,
  filter: chatFilter,
  filterBody: filterChatBody,
  says: chatSays,
  readAnswer: (answer, _lens, names) => readAnswer(answer, names),
  resultItems: (results) => resultsBeside(results).map((item) => Buffer.from(item)),
  userItem: (text) => Buffer.from(JSON.stringify({ role: 'user', content: text })),
  append: (lens, items) =>
    appendItems(lens, 'messages', items, (text) =>
      Buffer.concat([Buffer.from('{"role":"user","content":'), text, Buffer.from('}')]),
    ),
  resultsBeside,
  turns,
  restore,
  behind,
  tagBehind,
  toolsAsSent: toolListOf,
  withTools: withToolList,
}
