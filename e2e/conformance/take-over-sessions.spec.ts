/**
 * Sessions nobody thought of, through every pair of protocols: whatever the models say, the history a provider sees
 * only grows.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allPairs, conversionBench } from '../support/conversion-bench.ts'
import type { AnswerPlan, MockRequest } from '../support/mock-upstream/index.ts'
import { expectOneHistory } from '../support/provider-history.ts'
import type { SdkTool } from '../support/sdk-clients/index.ts'
import { heard } from '../support/heard.ts'
import { runs } from '../../shared/testing/runs.ts'

const b = conversionBench({})
const tools: SdkTool[] = [
  {
    name: 'look',
    description: 'Looks at a place',
    parameters: { type: 'object', properties: { at: { type: 'string' } } },
  },
]
const clock = { name: 'clock', input: { action: 'get', items: [], taskId: '' } }
const look = { name: 'look', input: { at: 'the sky “é”' } }

const words = fc.constantFrom('Let me see.', 'Done.', ' Two\n\nlines ', '“Umlaut” ä 👋', '{"ok":true}', 'Done.')
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const calls = (of: { name: string; input: unknown }, min: number, max: number) =>
  fc.integer({ min, max }).map((n) => Array.from({ length: n }, () => of))
const plan = (toolCalls: fc.Arbitrary<{ name: string; input: unknown }[]>): fc.Arbitrary<AnswerPlan> =>
  fc
    .record({ thinking: maybe(words), text: maybe(words), toolCalls, piece: fc.integer({ min: 1, max: 9 }) })
    .map(({ thinking, text, ...rest }) => ({
      kind: 'answer',
      ...rest,
      ...(thinking === undefined ? {} : { thinking }),
      ...(text === undefined ? {} : { text }),
    }))

/** Rounds that only call the clock, and one that ends the client's answer. */
const exchange = fc.record({
  hidden: fc.array(plan(calls(clock, 1, 2)), { maxLength: 2 }),
  last: fc.oneof(
    plan(fc.constant([])).map((answer) => ({ ...answer, text: answer.text ?? 'Well.' })),
    plan(calls(look, 1, 2)),
    plan(fc.tuple(calls(clock, 0, 1), calls(look, 1, 2), calls(clock, 0, 1)).map((parts) => parts.flat())),
  ),
})
const squeezed = (text: string): string => text.replaceAll(/\s+/g, '')
const namesIn = (answers: readonly AnswerPlan[], name: string) =>
  answers.flatMap(({ toolCalls = [] }) => toolCalls).filter((call) => call.name === name).length

describe.each(allPairs)('$title', (pair) => {
  it('a history that only grows, whatever is said', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(exchange, { minLength: 2, maxLength: 4 }), fc.boolean(), async (exchanges, stream) => {
        const from = b.mock.turns().length
        const talk = b.talk(pair, 'Be brief.', randomUUID())
        const said: AnswerPlan[] = []
        talk.user('Begin.')
        for (const [i, { hidden, last }] of exchanges.entries()) {
          b.answers(...hidden, last)
          said.push(...hidden, last)
          const reply = await talk.ask({ stream, tools })
          expect(reply.calls.map(({ name }) => name)).toEqual(
            last.toolCalls?.filter(({ name }) => name === 'look').map(({ name }) => name) ?? [],
          )
          expect(squeezed(reply.text)).toBe(squeezed([...hidden, last].map(({ text }) => text ?? '').join('')))
          if (reply.calls.length > 0) talk.results(reply.calls.map((call) => ({ call, text: `seen ${i}` })))
          else talk.user(`Go on ${i}.`)
        }
        b.answers({ kind: 'answer', text: 'The end.' })
        expect((await talk.ask({ stream, tools })).text).toBe('The end.')
        const turns = b.mock.turns().slice(from)
        expect(turns).toHaveLength(said.length + 1)
        expectOneHistory(turns)
        const end = heard(turns.at(-1) as MockRequest)
        expect(end.calls.filter(({ name }) => name === 'clock')).toHaveLength(namesIn(said, 'clock'))
        expect(end.results).toHaveLength(namesIn(said, 'clock') + namesIn(said, 'look'))
      }),
      runs(8),
    )
  })
})
