import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkMessages } from '../../../../../e2e/support/mock-upstream/check-messages.ts'
import { elementsOf } from '../../json-bytes/walk.ts'
import { withoutBlanks } from '../../server-tools/types.ts'
import type { JsonObject } from '../../values.ts'
import { anyBlock } from './testing/answers.ts'
import { session, type ClientWays, type Exchange } from './testing/session.ts'
import { runs } from '../../../../../shared/testing/runs.ts'

const exchanges: fc.Arbitrary<Exchange[]> = fc.array(
  fc.record({
    asks: fc.constantFrom('Hi.', 'Go on: "x" 世界', '  and?\n'),
    rounds: fc.array(fc.array(anyBlock, { maxLength: 5 }), { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 2, maxLength: 5 },
)
const ways: fc.Arbitrary<ClientWays> = fc.record({
  merge: fc.constantFrom(null, '', '\n\n'),
  thinking: fc.boolean(),
  bare: fc.boolean(),
  marks: fc.boolean(),
  space: fc.constantFrom(0, 1),
  stream: fc.boolean(),
})

/** A message without cache marks and without blanks between its tokens. */
const plain = (json: string): string =>
  JSON.stringify(JSON.parse(json, (key, value: unknown) => (key === 'cache_control' ? undefined : value)))
const messagesIn = (body: Buffer): string[] => elementsOf(body, 'messages').map(String)

function blocksIn(body: Buffer): JsonObject[] {
  const { messages }: { messages: { role: string; content: string | JsonObject[] }[] } = JSON.parse(body.toString())
  return messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content))
}
const textOf = (blocks: readonly JsonObject[]): string =>
  withoutBlanks(blocks.map((block) => (block['type'] === 'text' ? String(block['text']) : '')).join(''))
const callsOf = (blocks: readonly JsonObject[]): unknown[] =>
  blocks
    .filter((block) => block['type'] === 'tool_use')
    .map((block) => block['id'])
    .sort()

describe('a conversation with hidden rounds', () => {
  it('has one unchanging history at the provider', () => {
    fc.assert(
      fc.property(exchanges, ways, (any, how) => {
        const { sent } = session(any, how, checkMessages)
        for (const [i, body] of sent.entries()) {
          const earlier = messagesIn(sent[i - 1] ?? Buffer.from('{}'))
          const now = messagesIn(body).slice(0, earlier.length)
          expect(how.marks ? now.map(plain) : now).toEqual(how.marks ? earlier.map(plain) : earlier)
        }
      }),
      runs(150),
    )
  })

  it('has everything there that the model said, once', () => {
    fc.assert(
      fc.property(exchanges, ways, (any, how) => {
        const { sent, said } = session([...any, { asks: 'Last.', rounds: [[]] }], how, checkMessages)
        const blocks = blocksIn(sent.at(-1) ?? Buffer.alloc(0))
        expect(textOf(blocks)).toBe(textOf(said))
        expect(callsOf(blocks)).toEqual(callsOf(said))
        const signs = blocks.flatMap((block) =>
          /thinking/.test(String(block['type'])) ? [block['signature'] ?? block['data']] : [],
        )
        expect(new Set(signs).size).toBe(signs.length)
      }),
      runs(150),
    )
  })
})
