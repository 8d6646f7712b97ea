import { asksWithImage } from '../images/holds-image.ts'
import { asksEffort } from '../needs/effort.ts'
import { needsOf } from '../needs/needs-of.ts'
import { hasTool, isWebSearch } from '../needs/parts.ts'
import { wordAt } from '../needs/word.ts'
import { member } from '../json-bytes/index.ts'
import type { RequestLens, RequestNeeds } from '../types.ts'
import { responsesImages } from './images.ts'

export const responsesNeeds = (lens: RequestLens): RequestNeeds =>
  needsOf(lens, {
    image: () => asksWithImage(lens, responsesImages),
    webSearch: () =>
      hasTool(lens.body, lens.place('tools'), 'web_search', (type) => isWebSearch(type.replace(/^openrouter:/, ''))),
    thinking: () => asksEffort(lens.value('reasoning', 'effort')),
    // Codex asks for a compaction by an item, and sends back what OpenAI sealed of the conversation before it.
    bound: () =>
      lens.body.includes('"compaction', 0, 'latin1') &&
      lens.items().some((item) => compactions.has(wordAt(lens.body, member(lens.body, item, 'type')) ?? ''))
        ? 'compaction'
        : saysOnlyPrompt(lens)
          ? 'prompt'
          : null,
  })

/** True if the question is only in a prompt that OpenAI stores. */
function saysOnlyPrompt(lens: RequestLens): boolean {
  if (lens.place('prompt') === null || wordAt(lens.body, lens.place('prompt', 'id')) === null) return false
  const input = lens.place('input')
  return (
    input === null ||
    /^(?:null|""|\[\s*\])$/.test(lens.body.toString('latin1', input.start, Math.min(input.end, input.start + 64)))
  )
}

const compactions = new Set(['compaction', 'compaction_summary', 'compaction_trigger'])
