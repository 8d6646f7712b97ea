/** What goes wrong at a provider of another protocol, as the official SDKs' users see it. */
import { describe, expect, it } from 'vitest'
import { conversionBench, pairs } from '../support/conversion-bench.ts'
import { callTool, fail, garbage, say } from '../support/mock-upstream/index.ts'
import type { SdkTool } from '../support/sdk-clients/index.ts'

const b = conversionBench()
const tools: SdkTool[] = [
  { name: 'look', description: 'Looks', parameters: { type: 'object', properties: { at: { type: 'string' } } } },
]

describe.each(pairs)('$title', (pair) => {
  const { client } = pair

  it.each([400, 401, 429, 500, 529])(
    '%i is an error of the SDK’s own class, in the provider’s words',
    async (status) => {
      for (const stream of [false, true]) {
        b.answers(fail(status, { message: 'this model takes no "pictures"', headers: { 'retry-after': '7' } }))
        const talk = b.talk(pair)
        talk.user('Hi')
        const error: unknown = await talk.ask({ stream }).catch((e: unknown) => e)
        expect(client.failure(error), String(error)).toEqual({
          kind: client.kinds[status] ?? client.kinds.otherwise,
          status,
          message: expect.stringMatching(/this model takes no \\*"pictures/) as unknown,
          retryAfter: client.lacks.includes('retry-after') ? null : '7',
        })
        if (status === 401 || status === 429) await b.fresh()
      }
    },
  )

  it.each(['cut', 'reset', 'end'] as const)(
    'a stream that breaks off in a text is never taken for whole: %s',
    async (how) => {
      b.answers(say('a longer answer that breaks off', { piece: 4, breakOff: { after: 7, how } }))
      const talk = b.talk(pair)
      talk.user('Hi')
      let text = ''
      await expect(
        talk.ask({
          stream: true,
          onText: (piece) => {
            text += piece
          },
        }),
      ).rejects.toThrow(/provider|answer|connection|upstream/i)
      expect('a longer answer that breaks off'.startsWith(text)).toBe(true)
      expect(text).not.toBe('')
    },
  )

  it('a stream that breaks off in a call is never taken for whole', async () => {
    b.answers(
      callTool(
        'look',
        { at: 'a long way to a far place' },
        { piece: 3, text: 'Let me look.', breakOff: { after: pair.type === 'gemini' ? 1 : 9, how: 'end' } },
      ),
    )
    const talk = b.talk(pair)
    talk.user('Hi')
    await expect(talk.ask({ stream: true, tools })).rejects.toThrow()
  })

  it('a body that breaks off, and what is no HTTP, are errors of the SDK', async () => {
    for (const reply of [
      say('half of a body', { breakOff: { after: 0, how: 'cut' } }),
      garbage('\x16\x03\x01 not http\r\n\r\n'),
    ]) {
      b.answers(reply)
      const talk = b.talk(pair)
      talk.user('Hi')
      const error: unknown = await talk.ask({ stream: false }).catch((e: unknown) => e)
      expect(client.failure(error)?.status, String(error)).toBeGreaterThanOrEqual(500)
    }
  })
})
