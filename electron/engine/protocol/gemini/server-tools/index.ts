import { toolListOf, toolListEdits } from '../../append/tool-list.ts'
import { placeOf, requestObject } from '../request-place.ts'
import { appendItems } from '../../append/append-items.ts'
import type { ServerToolCodec } from '../../server-tools/types.ts'
import { appendAfterLast, appendTimeTag, bareContent } from './append-after-last.ts'
import { cannotDeclare } from './cannot-declare.ts'
import { clientTools, declare } from './declare.ts'
import { filter, filterBody } from './filter.ts'
import { readAnswer } from './read-answer.ts'
import { restore } from './restore.ts'
import { resultItems, resultsBeside, userItem } from './results.ts'
import { hasContent } from './has-content.ts'
import { turns } from './turns.ts'

export const geminiServerTools: ServerToolCodec = {
  clientTools,
  cannotDeclare,
  declare,
  filter,
  filterBody,
  hasContent,
  readAnswer: (answer, _lens, names) => readAnswer(answer, names),
  resultItems,
  userItem,
  append: (lens, items) => appendItems(lens, 'contents', items, bareContent),
  resultsBeside,
  turns,
  restore,
  appendAfterLast,
  appendTimeTag,
  toolsAsSent: (lens) => toolListOf(lens, placeOf(lens, 'tools')),
  withTools: (lens, tools) => toolListEdits(lens, tools, requestObject(lens)),
}
