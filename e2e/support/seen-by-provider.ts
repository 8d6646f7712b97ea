import { at } from './mock-upstream/json-path.ts'
import type { MockRequest } from './mock-upstream/index.ts'

/** What a request tells a model, whichever protocol it is in. */
export interface SeenByProvider {
  /** names of the declared tools */
  tools: string[]
  /** texts of the tool results, oldest first */
  results: string[]
  /** thinking that came back; `seal`: a signature or encrypted content, where the protocol has one */
  thinking: { text: string; seal: unknown }[]
}

export function seenByProvider({ endpoint, json }: Pick<MockRequest, 'endpoint' | 'json'>): SeenByProvider {
  switch (endpoint) {
    case 'messages': {
      const blocks = listOf(json, 'messages').flatMap((message) => listOf(message, 'content'))
      return {
        tools: listOf(json, 'tools').map((tool) => textOf(at(tool, 'name'))),
        results: typed(blocks, 'tool_result').map((block) => textOf(at(block, 'content'))),
        thinking: typed(blocks, 'thinking').map((block) => ({
          text: textOf(at(block, 'thinking')),
          seal: at(block, 'signature'),
        })),
      }
    }
    case 'chat': {
      const messages = listOf(json, 'messages')
      return {
        tools: listOf(json, 'tools').map((tool) => textOf(at(tool, 'function', 'name'))),
        results: messages
          .filter((message) => at(message, 'role') === 'tool')
          .map((message) => textOf(at(message, 'content'))),
        thinking: messages.flatMap((message) =>
          at(message, 'reasoning_content') === undefined
            ? []
            : [{ text: textOf(at(message, 'reasoning_content')), seal: null }],
        ),
      }
    }
    case 'responses': {
      const items = listOf(json, 'input')
      return {
        tools: listOf(json, 'tools').map((tool) => textOf(at(tool, 'name'))),
        results: typed(items, 'function_call_output').map((item) => textOf(at(item, 'output'))),
        thinking: typed(items, 'reasoning').map((item) => ({
          text: textOf(at(item, 'summary')),
          seal: at(item, 'encrypted_content'),
        })),
      }
    }
    default:
      throw new Error(`a request to ${endpoint} holds no conversation`)
  }
}

const listOf = (value: unknown, member: string): readonly unknown[] => {
  const list = at(value, member)
  return Array.isArray(list) ? list : []
}
const typed = (list: readonly unknown[], type: string): unknown[] => list.filter((entry) => at(entry, 'type') === type)

/** A text, or the texts of a list of parts. */
const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map((part) => textOf(at(part, 'text'))).join('\n')
    : typeof value === 'string'
      ? value
      : ''
