import { OnwardError } from '../../base/errors.ts'
import type { Source } from '../../protocol/canonical/request.ts'
import { instructions, questionText } from './prompt.ts'
import type { AskVision } from './types.ts'

/** A model that looks at one image longer than this is stuck. */
const withinMs = 60_000
/** About four thousand tokens: more than a page of dense text. */
const longest = 16_000

export type Describe = (image: Source | null, question: string | null) => Promise<{ text: string; by: string }>

/** Has one image described. @throws OnwardError */
export function createDescribe(ask: AskVision): Describe {
  return async (image, question) => {
    if (image === null) throw new OnwardError('image-unreadable', 'It is in a form that is not known here.')
    if (image.kind === 'id')
      throw new OnwardError('image-unreadable', 'It was uploaded to another provider, and only that one can open it.')
    const { text, by } = await ask({ instructions, text: questionText(question), image }, withinMs)
    const said = text.trim()
    if (said === '') throw new OnwardError('no-description', `${by} said nothing of it.`)
    return {
      text:
        said.length > longest
          ? `${said.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}\n[The description goes on and was cut here.]`
          : said,
      by,
    }
  }
}
