import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chat } from '../../../../../e2e/support/mock-upstream/chat.ts'
import { checkChat } from '../../../../../e2e/support/mock-upstream/check-chat.ts'
import type { AnswerPlan, ToolCallPlan } from '../../../../../e2e/support/mock-upstream/types.ts'
import { withoutBlanks } from '../../server-tools/types.ts'
import { session } from './testing/session.ts'
import { runs } from '../../../../../shared/testing/runs.ts'

const call =
  (name: string) =>
  (id: number): ToolCallPlan => ({ name, id: `${name}_${id}`, input: { id } })
const hidden = call('clock')
const own = call('read')

const words = fc.constantFrom('Let me look.', ' It is\n\nten. ', 'Zehn Uhr, “genau” 👋\n')
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
/** Rounds before the last always call something of Onward's. */
const inner = fc.record({
  text: some(words),
  thinking: some(fc.constantFrom('Hm.', 'Well, “then”')),
  hidden: fc.integer({ min: 1, max: 3 }),
})
const ending = fc.record({
  text: some(words),
  thinking: some(fc.constant('So.')),
  calls: fc.array(fc.boolean(), { maxLength: 4 }),
})
const turns = fc.array(fc.record({ inner: fc.array(inner, { maxLength: 3 }), ending }), { minLength: 1, maxLength: 6 })
const ways = fc.record({ parts: fc.boolean(), thinking: fc.boolean(), trims: fc.boolean(), marks: fc.boolean() })

const eventsOf = (plan: AnswerPlan, n = 0): string[] =>
  chat.events(plan, { n, model: 'm', request: { stream: true, reasoning_effort: 'high' }, nowMs: 0 })

describe('a session of Chat with hidden rounds', () => {
  it('sends each request as the beginning of the next one, byte for byte, and every one is legal', () => {
    fc.assert(
      fc.property(ways, turns, (client, plans) => {
        const one = session(client, checkChat)
        const texts: string[] = []
        const thoughts: string[] = []
        let id = 0
        const optional = <K extends string>(name: K, value: string | undefined, n: number) =>
          value === undefined ? {} : { [name]: `${value} (${n})` }
        for (const [n, plan] of plans.entries()) {
          const rounds: AnswerPlan[] = plan.inner.map((round, i) => ({
            kind: 'answer',
            piece: 7,
            ...optional('text', round.text, n * 10 + i),
            ...optional('thinking', round.thinking, n * 10 + i),
            toolCalls: Array.from({ length: round.hidden }, () => hidden(++id)),
          }))
          const { text, thinking, calls } = plan.ending
          // A provider that says nothing at all leaves nothing to send back.
          const said = text ?? (calls.length === 0 ? 'Done.' : undefined)
          rounds.push({
            kind: 'answer',
            piece: 7,
            ...optional('text', said, n * 10 + 9),
            ...optional('thinking', thinking, n),
            toolCalls: calls.map((mine) => (mine ? own(++id) : hidden(++id))),
          })
          texts.push(...rounds.flatMap((round) => round.text ?? []))
          thoughts.push(...rounds.slice(0, -1).flatMap((round) => round.thinking ?? []))
          const got = one.turn(`Question ${n}`, rounds.map(eventsOf), `Looked at the clock (${n}).`)
          expect(got.problems).toEqual([])
          expect(got.calls.map(({ name }) => name)).toEqual(calls.filter(Boolean).map(() => 'read'))
          expect(got.end).toMatchObject({ reason: calls.includes(true) ? 'tool-calls' : 'stop' })
          if (!calls.includes(true)) expect(got.text).not.toBe('')
        }
        one.turn('The end.', [eventsOf({ kind: 'answer', text: 'Bye.' })], '')
        expect(one.problems).toEqual([])
        for (let i = 1; i <= id; i++) expect(one.sent).toContain(`_${i}"`)
        expect(one.answers.map(({ text }) => withoutBlanks(text)).filter(Boolean)).toEqual(texts.map(withoutBlanks))
        const kept = one.answers.map(({ thinking }) => thinking).filter(Boolean)
        expect(kept.filter((thought) => !thought.startsWith('So.'))).toEqual(thoughts)
        expect(new Set(kept).size).toBe(kept.length)
      }),
      runs(40),
    )
  })
})
