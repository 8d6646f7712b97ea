import { expect, it } from 'vitest'
import { complainsOfThinking } from './thinking-off.ts'

it.each([
  'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.',
  'messages.1.content.0: Invalid `signature` in `thinking` block',
  'messages.1.content.0.thinking.signature: Field required',
  'messages.1.content.0.thinking: each thinking block must contain thinking',
  'messages.1.content.0: If an assistant message contains any thinking blocks, the first block must be `thinking` or ' +
    '`redacted_thinking`. Found `text`.',
  'The `reasoning_content` in the thinking mode must be passed back to the API.',
  'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
  "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
  "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'.",
  "Item with id 'rs_0b5f' not found. Items are not persisted when `store` is set to false.",
  'Function call is missing a thought_signature in functionCall parts.',
])('a history refused for its thinking: %s', (message) => {
  expect(complainsOfThinking(JSON.stringify({ error: { message } }))).toBe(true)
})

it.each([
  'thinking.budget_tokens: Input should be greater than or equal to 1024',
  "Item with id 'msg_1' not found.",
  'max_tokens must be greater than thinking.budget_tokens',
])('and what is no such refusal: %s', (message) => {
  expect(complainsOfThinking(JSON.stringify({ error: { message } }))).toBe(false)
})
