import { asObjects, asText, parseObject, type JsonObject } from '../../values.ts'
import { isSaid } from '../convert/members.ts'
import { text, thinkingLists, thinkingTexts } from '../facts.ts'

/** The contents of earlier rounds that a client has seen in its answer. */
export interface Shown {
  text: string
  thinking: string
  /** entries of `reasoning_details` and the like, which carry signatures or encrypted thinking */
  details: readonly JsonObject[]
}

/** `items`: whole messages; those of the assistant count. */
export function shownIn(items: readonly string[]): Shown {
  const messages = items
    .map((item) => parseObject(Buffer.from(item)) ?? {})
    .filter((message) => message['role'] === 'assistant')
  return {
    text: messages.map((message) => text(message['content'])).join(''),
    thinking: messages
      .map((message) => thinkingTexts.map((name) => asText(message[name])).find((thought) => thought !== null) ?? '')
      .join(''),
    details: messages.flatMap((message) => thinkingLists.flatMap((name) => asObjects(message[name]))),
  }
}

/** Thinking alone is no message: Chat wants a text or a call in it. */
export function saysAnything(message: Buffer): boolean {
  const value = parseObject(message) ?? {}
  return ['content', 'tool_calls', 'function_call', 'refusal', 'audio'].some((name) => isSaid(value[name]))
}
