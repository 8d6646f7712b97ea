import { isObject, members, type Span } from '../json-bytes/index.ts'
import { asksEffort } from '../needs/effort.ts'
import { needsOf } from '../needs/needs-of.ts'
import { hasTool, hasType, isWebSearch, mentions } from '../needs/parts.ts'
import { wordAt } from '../needs/word.ts'
import type { RequestLens, RequestNeeds } from '../types.ts'

export const responsesNeeds = (lens: RequestLens): RequestNeeds => needsOf(lens, {
  image: () => lens.asked().some((item) => ['input_image', 'computer_screenshot'].some((word) => mentions(lens.body, item, word)) && holdsImage(lens.body, item)),
  webSearch: () => hasTool(lens.body, lens.place('tools'), 'web_search', (type) => isWebSearch(type.replace(/^openrouter:/, ''))),
  thinking: () => asksEffort(lens.value('reasoning', 'effort')),
})

/** A message has its parts in `content`, a tool's outcome in `output`: parts as well, or a computer's screenshot. */
function holdsImage(body: Buffer, item: Span): boolean {
  const [content = null, output = null] = members(body, item, ['content', 'output'])
  if (output && isObject(body, output)) return wordAt(body, members(body, output, ['type'])[0]) === 'computer_screenshot'
  return hasType(body, content ?? output, (type) => type === 'input_image')
}
