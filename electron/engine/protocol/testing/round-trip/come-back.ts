import type { WireProtocol } from '../../canonical/request.ts'
import type { JsonObject } from '../../values.ts'
import { at, each, members, words } from '../golden/client-answer.ts'
import type { ModelTurn } from './providers.ts'

/** Returns the model's items as the next request has them. */
export const cameBack = (provider: WireProtocol, body: JsonObject): unknown[] =>
  assistantItems[provider](body).map(plain[provider])

/** Returns the model's items as the next request must have them. */
export const mustComeBack = (provider: WireProtocol, turn: ModelTurn): unknown[] => turn.comesBack.map(plain[provider])

/** Returns the assistant's items in a provider's request, without what servers fill in themselves. */
const assistantItems: Record<WireProtocol, (body: JsonObject) => unknown[]> = {
  chat: (body) => each(body['messages']).filter((message) => at(message, 'role') === 'assistant'),
  responses: (body) => each(body['input']).filter((item) => at(item, 'role') !== 'user' && !isResult(item)),
  messages: (body) =>
    each(body['messages'])
      .filter((message) => at(message, 'role') === 'assistant')
      .flatMap((message) => each(at(message, 'content'))),
  gemini: (body) =>
    each(body['contents'])
      .filter((content) => at(content, 'role') === 'model')
      .flatMap((content) => each(at(content, 'parts'))),
}
const isResult = (item: unknown): boolean => words(at(item, 'type')).endsWith('_output')

/** Removes members that are not the model's own: ids of items that are not stored, states, empty lists. */
const plain: Record<WireProtocol, (item: unknown) => unknown> = {
  chat(item) {
    const { content, reasoning, ...rest } = members(item)
    // OpenRouter sends the thinking twice, and wants the details back.
    return { ...rest, ...(content ? { content } : {}), ...(rest['reasoning_details'] ? {} : { reasoning }) }
  },
  responses(item) {
    const { id, status: _, content, ...rest } = members(item)
    const text =
      words(content) +
      each(content)
        .map((part) => words(at(part, 'text')))
        .join('')
    return { ...rest, ...(rest['type'] === 'reasoning' ? { id } : {}), ...(text === '' ? {} : { text }) }
  },
  messages: (item) => item,
  gemini: (item) => item,
}
