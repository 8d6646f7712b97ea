/** Tools of Onward's inside an answer, through every pair of protocols: the client sees one ordinary message. */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { allPairs, conversionBench } from '../support/conversion-bench.ts'
import { callTool, say } from '../support/mock-upstream/index.ts'
import { conversationOf, toolsOf } from '../support/provider-history.ts'
import type { SdkTool } from '../support/sdk-clients/index.ts'

const b = conversionBench({})
const ways = [
  ['whole', false],
  ['streaming', true],
] as const
const tools: SdkTool[] = [
  {
    name: 'look',
    description: 'Looks at a place',
    parameters: { type: 'object', properties: { at: { type: 'string' } } },
  },
]
const clock = { action: 'get', items: [], taskId: '' }
const usage = (input: number, output: number) => ({ usage: { input, output, cachedInput: 0, reasoning: 0 } })

describe.each(allPairs)('$title', (pair) => {
  it.each(ways)('runs a tool in the middle of an answer, %s', async (_how, stream) => {
    b.answers(
      callTool('clock', clock, { text: 'Let me see the time.', piece: 4, ...usage(100, 10) }),
      say('It is late.', { piece: 3, ...usage(150, 7) }),
      say('Still late.'),
    )
    const talk = b.talk(pair, 'Be brief.', randomUUID())
    talk.user('How late is it?')
    const first = await talk.ask({ stream, tools })
    expect(first.text.replaceAll(/\s+/g, ' ')).toMatch(/^Let me see the time\. ?It is late\.$/)
    expect(first).toMatchObject({ calls: [], finish: 'stop', usage: { input: 150, output: 17 } })
    expect(b.heard(2).calls).toMatchObject([{ name: 'clock', input: clock }])
    const [result] = b.heard(2).results
    expect(JSON.parse(result?.text ?? '')).toMatchObject({
      ok: true,
      action: 'get',
      active: true,
      nowMs: expect.any(Number) as number,
    })

    talk.user('And now?')
    expect((await talk.ask({ stream, tools })).text).toBe('Still late.')
    const before = conversationOf(b.request(2))
    expect(conversationOf(b.request(3)).slice(0, before.length)).toEqual(before)
    expect(toolsOf(b.request(3))).toBe(toolsOf(b.request(1)))
  })

  it.each(ways)('keeps its call beside the client’s own, %s', async (_how, stream) => {
    b.answers(
      {
        kind: 'answer',
        text: 'Both.',
        piece: 3,
        toolCalls: [
          { name: 'clock', input: clock, id: 'call_T' },
          { name: 'look', input: { at: 'the sky' }, id: 'call_L' },
        ],
      },
      say('Dark.'),
      say('Done.'),
    )
    const talk = b.talk(pair, undefined, randomUUID())
    talk.user('Time and sky?')
    const first = await talk.ask({ stream, tools })
    expect(first).toMatchObject({
      text: 'Both.',
      finish: 'tool-calls',
      calls: [{ name: 'look', input: { at: 'the sky' } }],
    })
    talk.results(first.calls.map((call) => ({ call, text: 'black' })))
    expect((await talk.ask({ stream, tools })).text).toBe('Dark.')
    expect(b.heard(2).calls.map(({ name }) => name)).toEqual(['clock', 'look'])
    expect(b.heard(2).results.map(({ text }) => text.includes('nowMs') || text)).toEqual([true, 'black'])
    talk.user('Thanks.')
    await talk.ask({ stream, tools })
    const before = conversationOf(b.request(2))
    expect(conversationOf(b.request(3)).slice(0, before.length)).toEqual(before)
  })
})
