/**
 * Pictures, and thinking with what seals it, through every pair of protocols and back: also where a client drops it, as
 * AI SDK's chat provider does.
 */
import { describe, expect, it } from 'vitest'
import { conversionBench, pairs, type Spoken } from '../support/conversion-bench.ts'
import { callTool, say } from '../support/mock-upstream/index.ts'
import type { SdkTool } from '../support/sdk-clients/index.ts'
import { onePixel } from '../support/sdk-clients/pictures.ts'

const b = conversionBench()
const ways = [
  ['whole', false],
  ['streaming', true],
] as const
const tools: SdkTool[] = [
  { name: 'look', description: 'Looks', parameters: { type: 'object', properties: { at: { type: 'string' } } } },
]
/** what the provider made in its nth answer and wants to see again; a Chat provider's seal is the text itself */
const sealOf = (type: Spoken, n: number, thinking: string): string =>
  ({
    'openai-chat': thinking,
    'openai-responses': `enc_mock${n}`,
    anthropic: `sig_mock${n}`,
    gemini: Buffer.from(`sig_mock${n}`).toString('base64'),
  })[type]

describe.each(pairs)('$title', (pair) => {
  const { type } = pair

  it.each(ways)('shows a picture, byte for byte, %s', async (_how, stream) => {
    b.answers(say('A dot.'))
    const talk = b.talk(pair)
    talk.user('What is this?', onePixel)
    expect((await talk.ask({ stream })).text).toBe('A dot.')
    expect(b.request(1).body.toString().split(onePixel.base64)).toHaveLength(2)
    expect(b.request(1).lastUserText).toContain('What is this?')
  })

  it.each(ways)('shows thinking and carries its seal back over tool rounds and turns, %s', async (_how, stream) => {
    const thoughts = ['First, "look" 世界.\nThen think.', 'Now I know.']
    b.answers(
      callTool('look', { at: 'x' }, { thinking: thoughts[0], text: 'Looking.', piece: 5 }),
      say('A tree.', { thinking: thoughts[1], piece: 5 }),
      say('You are welcome.'),
    )
    const talk = b.talk(pair)
    talk.user('What is there?')
    const first = await talk.ask({ stream, tools, thinking: true })
    expect(first).toMatchObject({ text: 'Looking.', thinking: thoughts[0], finish: 'tool-calls' })
    expect(b.heard(1).thinks).toBe(true)
    const made1 = sealOf(type, b.request(1).n, thoughts[0] ?? '')
    talk.results(first.calls.map((call) => ({ call, text: 'a tree' })))
    expect(await talk.ask({ stream, tools, thinking: true })).toMatchObject({
      text: 'A tree.',
      thinking: thoughts[1],
      finish: 'stop',
    })
    const made2 = sealOf(type, b.request(2).n, thoughts[1] ?? '')
    expect(b.heard(2).seals).toEqual([made1])
    talk.user('Thanks')
    expect((await talk.ask({ stream, tools, thinking: true })).text).toBe('You are welcome.')
    expect(b.heard(3).seals).toEqual([made1, made2])
    if (type === 'anthropic')
      for (const thought of thoughts) expect(b.request(3).body.toString()).toContain(JSON.stringify(thought))
  })
})
