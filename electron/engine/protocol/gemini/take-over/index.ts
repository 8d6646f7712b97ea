import { toolListOf, withToolList } from '../../append/tool-list.ts'
import { placeOf, requestObject } from '../request-place.ts'
import { appendItems } from '../../append/append-items.ts'
import type { TakeOver } from '../../take-over/types.ts'
import { behind, tagBehind } from './behind.ts'
import { cannotDeclare } from './cannot-declare.ts'
import { clientTools, declare } from './declare.ts'
import { filter, filterBody } from './filter.ts'
import { readAnswer } from './read-answer.ts'
import { restore } from './restore.ts'
import { resultItems, resultsBeside, userItem } from './results.ts'
import { says } from './says.ts'
import { turns } from './turns.ts'

export const geminiTakeOver: TakeOver = {
  clientTools,
  cannotDeclare,
  declare,
  filter,
  filterBody,
  says,
  readAnswer: (answer, _lens, names) => readAnswer(answer, names),
  resultItems,
  userItem,
  append: (lens, items) => appendItems(lens, 'contents', items, (text) => text),
  resultsBeside,
  turns,
  restore,
  behind,
  tagBehind,
  toolsAsSent: (lens) => toolListOf(lens, placeOf(lens, 'tools')),
  withTools: (lens, tools) => withToolList(lens, tools, requestObject(lens)),
}
