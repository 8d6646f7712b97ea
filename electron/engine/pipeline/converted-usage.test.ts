import { expect, it } from 'vitest'
import { requestOf, userItem } from './testing/client-view.ts'
import { roundsScene } from './testing/rounds-scene.ts'

it.each(['chat', 'responses', 'gemini'] as const)(
  'the record of an answer converted to %s has what its protocol can’t say: writes to a cache for an hour',
  async (entry) => {
    const s = await roundsScene(entry, { provider: 'messages' })
    const asked = await s.ask(requestOf(entry, [userItem(entry, 'Hi')]), { stream: false })
    const round = await s.upstream.round(1)
    const answer = JSON.parse(round.whole({ text: 'Hello.' }))
    const cache_creation = { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 80 }
    const usage = { input_tokens: 5, cache_creation_input_tokens: 100, cache_creation, output_tokens: 9 }
    round.head()
    round.data(JSON.stringify({ ...answer, usage }))
    round.end()
    const { end } = await asked.over
    expect(end.summary.usage).toMatchObject({ input: 105, cacheWrite: 100, cacheWriteHour: 80, output: 9 })
  },
)
