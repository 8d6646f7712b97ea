import type { Mutable } from '../../base/mutable.ts'
import { asObject, type JsonObject } from '../values.ts'

/** Splits the content of an answer into thinking and text. */
interface ThoughtTags {
  /** what comes next is thinking */
  readonly open: boolean
  split(content: string, message: JsonObject): { thinking: string; text: string }
  /** what was kept back because a closing tag might have begun */
  rest(): string
}

const opening = '<thought>'
const closing = '</thought>'

/**
 * Google's OpenAI endpoint shows thinking (`include_thoughts`) as content between tags and marks the deltas with
 * `extra_content.google.thought`; the closing tag stands before the first word of the answer. Only a marked delta opens
 * a thought, so the same tag in a text stays text. https://ai.google.dev/gemini-api/docs/openai#thinking
 */
export function thoughtTags(): ThoughtTags {
  let held = ''
  const tags: Mutable<ThoughtTags> = {
    open: false,
    split(content, message) {
      const wasOpen = tags.open
      if (!wasOpen && !(content.startsWith(opening) && isThought(message))) return { thinking: '', text: content }
      const all = held + (wasOpen ? content : content.slice(opening.length))
      const end = all.indexOf(closing)
      const open = end < 0
      tags.open = open
      held = open ? all.slice(all.length - begunTag(all)) : ''
      return open
        ? { thinking: all.slice(0, all.length - held.length), text: '' }
        : { thinking: all.slice(0, end), text: all.slice(end + closing.length) }
    },
    rest() {
      const rest = held
      held = ''
      return rest
    },
  }
  return tags
}

const isThought = (message: JsonObject): boolean =>
  asObject(asObject(message['extra_content'])?.['google'])?.['thought'] === true

/** True if `extra_content` says that the content is a thought, and nothing else (a signature, for one). */
export const marksThought = (message: JsonObject): boolean =>
  isThought(message) && JSON.stringify(message['extra_content']) === '{"google":{"thought":true}}'

/** Returns how many characters at the end of a text may be the beginning of the closing tag. */
function begunTag(text: string): number {
  for (let length = Math.min(closing.length - 1, text.length); length > 0; length--)
    if (text.endsWith(closing.slice(0, length))) return length
  return 0
}
