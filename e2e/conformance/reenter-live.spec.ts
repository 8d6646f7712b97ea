import OpenAI from 'openai'
import { afterAll, describe, expect, it } from 'vitest'
import { removeHomes, startEngine } from '../support/engine-process.ts'
import { say, startMockUpstream } from '../support/mock-upstream/index.ts'

describe('reenter mode on the real engine', () => {
  afterAll(removeHomes)

  it('goes on within the same answer, as often as armed, for a client without a terminal', async () => {
    const mock = await startMockUpstream()
    mock.queue(say('First.'), say('Second.'), say('Third.'))
    mock.otherwise = say('Later.')
    const engine = await startEngine({
      config: {
        providers: {
          mock: {
            type: 'openai-chat',
            baseUrl: `${mock.baseUrl}/v1`,
            keys: [{ alias: 'main', value: 'k' }],
            models: { m: {} },
          },
        },
        routes: { default: ['mock.m'] },
        stopMessage: { delivery: 'reenter' },
      },
    })
    try {
      const client = new OpenAI({
        baseURL: `${engine.baseUrl}/v1`,
        apiKey: 'any',
        maxRetries: 0,
        defaultHeaders: { 'x-session-id': 'program-1' },
      })
      const stream = client.chat.completions.stream({
        model: 'm',
        messages: [{ role: 'user', content: 'Begin. <**stopMessage:"go on",2**>' }],
      })
      const answer = await stream.finalChatCompletion()
      expect(answer.choices[0]?.message.content?.replace(/\s+/g, ' ')).toBe('First. Second. Third.')
      expect(mock.turns().map((r) => r.lastUserText?.trim())).toEqual(['Begin.', 'go on', 'go on'])
      expect(mock.problems).toEqual([])
      const session = await engine.control.session((s) => s.stopMessage?.status.kind === 'done')
      expect(session.stopMessage).toMatchObject({ used: 2, max: 2 })

      const next = await client.chat.completions.create({
        model: 'm',
        messages: [{ role: 'user', content: 'And now?' }],
      })
      expect(next.choices[0]?.message.content).toBe('Later.')
      expect(mock.turns()).toHaveLength(4)
    } finally {
      await engine.stop()
      await mock.dispose()
    }
  })
})
