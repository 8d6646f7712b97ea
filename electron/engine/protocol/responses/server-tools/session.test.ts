import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkResponses } from '../../../../../e2e/support/mock-upstream/check-responses.ts'
import { withoutBlanks } from '../../server-tools/types.ts'
import type { JsonObject } from '../../values.ts'
import { playSession, type Client, type Exchange, type Kind } from './testing/session.ts'
import { visibleText } from './visible-text.ts'
import { runs } from '../../../../../shared/testing/runs.ts'

const inner = fc
  .array(fc.constantFrom<Kind>('text', 'thought', 'clock'), { maxLength: 3 })
  .map((kinds): Kind[] => [...kinds, 'clock'])
const last = fc.array(fc.constantFrom<Kind>('text', 'thought', 'look', 'clock'), { minLength: 1, maxLength: 5 })
const exchange: fc.Arbitrary<Exchange> = fc
  .tuple(fc.array(inner, { maxLength: 2 }), last)
  .map(([before, end]) => [...before, end])
const client: fc.Arbitrary<Client> = fc.record({
  ids: fc.boolean(),
  thinking: fc.boolean(),
  joinsTexts: fc.boolean(),
  interleaves: fc.boolean(),
  pretty: fc.boolean(),
})

describe('a session', () => {
  it('shows the provider one history that only grows, byte for byte', () => {
    fc.assert(
      fc.property(fc.array(exchange, { minLength: 1, maxLength: 4 }), client, (exchanges, kind) => {
        const { sent } = playSession([...exchanges, [['text']]], kind)
        for (const [i, { input, body }] of sent.entries()) {
          expect(checkResponses(body)).toEqual([])
          const earlier = sent[i - 1]?.input ?? []
          expect(input.slice(0, earlier.length)).toEqual(earlier)
        }
      }),
      runs(100),
    )
  })

  it('shows it everything that was said, once and in order, and no word of Onward’s', () => {
    fc.assert(
      fc.property(fc.array(exchange, { minLength: 1, maxLength: 3 }), client, (exchanges, kind) => {
        const { sent, said } = playSession([...exchanges, [['text']]], kind)
        const input = (sent.at(-1)?.body['input'] ?? []) as readonly JsonObject[] // made by playSession
        const texts = (items: readonly JsonObject[]): string =>
          withoutBlanks(
            items
              .filter((one) => one['role'] === 'assistant')
              .map(visibleText)
              .join(''),
          )
        const ids = (items: readonly JsonObject[], type: string): string =>
          items
            .filter((one) => one['type'] === type)
            .map((one) => String(one['call_id']))
            .join(' ')
        expect(texts(input)).toBe(texts(said.slice(0, -1)))
        expect(ids(input, 'function_call')).toBe(ids(said, 'function_call'))
        expect(ids(input, 'function_call_output').split(' ').sort()).toEqual(
          ids(said, 'function_call_output').split(' ').sort(),
        )
      }),
      runs(100),
    )
  })
})
