import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../protocol/values.ts'
import { heardOf, requestOf } from './testing/client-view.ts'
import { roundsScene } from './testing/rounds-scene.ts'

/** A loop of tools with calls of other vendors' models, as each client keeps it. */
const history: Record<'chat' | 'responses' | 'messages' | 'gemini', JsonObject[]> = {
  chat: [
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      content: null,
      reasoning_details: [{ type: 'reasoning.encrypted', data: 'foreign-seal' }],
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
  ],
  responses: [
    { role: 'user', content: 'Go.' },
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'foreign-seal' },
    { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output: 'ok' },
  ],
  messages: [
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'foreign-seal' },
        { type: 'tool_use', id: 'call_1', name: 'look', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'ok' }] },
  ],
  gemini: [
    { role: 'user', parts: [{ text: 'Go.' }] },
    { role: 'model', parts: [{ functionCall: { name: 'look', args: {} }, thoughtSignature: 'foreign-seal' }] },
    { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'ok' } } }] },
  ],
}
const protocols = ['chat', 'responses', 'messages', 'gemini'] as const

/** Refusals in the vendors' own words. */
const complaints = {
  chat: 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
  responses: 'The encrypted content gAAA could not be verified. Reason: code invalid_encrypted_content',
  messages: 'messages.1.content.0: Invalid `signature` in `thinking` block',
  gemini: 'Function call is missing a thought_signature in functionCall parts.',
}
const taken: Record<(typeof protocols)[number], RegExp> = {
  chat: /"reasoning_content":" ".*"thinking":\{"type":"disabled"\}|"thinking":\{"type":"disabled"\}.*"reasoning_content":" "/,
  responses: /"function_call"/,
  messages: /"thinking":\{"type":"disabled"\}/,
  gemini: /"thoughtSignature":"skip_thought_signature_validator"/,
}

describe.each(protocols)('a %s client whose history is refused for its thinking', (entry) => {
  it.each(protocols)('is answered all the same over %s, at once and in the next turn', async (provider) => {
    const s = await roundsScene(entry, { provider })
    for (const turn of [0, 1]) {
      const asked = await s.ask(requestOf(entry, history[entry]))
      const refused = await s.upstream.round(turn * 2 + 1)
      // OpenAI says so with 404 of an item that it does not keep.
      if (turn === 0) refused.refuse(400, complaints[provider])
      else refused.refuse(404, "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false.")
      const again = await s.upstream.round(turn * 2 + 2)
      const body = again.body.toString()
      expect(body).toMatch(taken[provider])
      expect(body).not.toMatch(/foreign-seal|"rs_1"|"fc_1"|Hm\./)
      again.answer({ text: 'Done.' })
      again.end()
      const { error, end } = await asked.over
      expect(error).toBeNull()
      expect(end.status).toBe(200)
      expect(heardOf(entry, asked.client.text).text).toBe('Done.')
      expect(asked.turn.dropped).toContain('thinking')
      expect(asked.turn.tried.map(({ code }) => code)).toEqual([turn === 0 ? '400' : '404'])
    }
  })
})

it('a model that refuses even that is heard, and so is one with another complaint', async () => {
  const s = await roundsScene('messages')
  const asked = await s.ask(requestOf('messages', history.messages))
  for (const n of [1, 2]) (await s.upstream.round(n)).refuse(400, complaints.messages)
  expect((await asked.over).end.status).toBe(400)
  expect(s.upstream.rounds).toHaveLength(2)
  const other = await s.ask(requestOf('messages', history.messages))
  ;(await s.upstream.round(3)).refuse(400, 'thinking: budget_tokens must be less than max_tokens')
  expect((await other.over).end.status).toBe(400)
  expect(other.client.text).toContain('budget_tokens')
  expect(s.upstream.rounds).toHaveLength(3)
})
