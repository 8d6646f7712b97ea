import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conversationIn } from '../../../e2e/support/provider-history.ts'
import { entryProtocols, type EntryProtocol } from '../../../shared/words.ts'
import { listOf } from '../protocol/server-tools/testing/requests.ts'
import { withoutBlanks } from '../protocol/server-tools/types.ts'
import type { JsonObject } from '../protocol/values.ts'
import { emptyReplyContinue } from '../servertools/empty-reply.ts'
import { heardOf, historyOf, problemsOf, refusedOf, requestOf, userItem } from './testing/client-view.ts'
import { clockCall, clockScene, seconds, wish, type ClockScene } from './testing/clock-scene.ts'
import type { Says } from './testing/scripted-upstream.ts'
import { runs } from '../../../shared/testing/runs.ts'

/** One answer of a provider. `schedules`: sets an alarm so far ahead, seconds; `takes`: the duration of its answer. */
interface Round {
  words: string
  thinks: boolean
  looks: boolean
  schedules: number | null
  reads: boolean
  takes: number
  fails: 'refuses' | 'breaks' | null
}
/** One question. `sets`: alarms a person sets before it; `passes`: seconds since the last. */
interface Question {
  sets: readonly number[]
  passes: number
  bare: boolean
  rounds: readonly Round[]
}

const round: fc.Arbitrary<Round> = fc.record({
  words: fc.constantFrom('', 'Hi there.', 'A "b" {c}', '世界\n\nx'),
  thinks: fc.boolean(),
  looks: fc.constantFrom(false, false, true),
  schedules: fc.option(fc.integer({ min: 5, max: 150 }), { freq: 4 }),
  reads: fc.constantFrom(false, false, false, true),
  takes: fc.constantFrom(0, 1, 20, 40, 70),
  fails: fc.constantFrom(null, null, null, null, null, null, 'refuses' as const, 'breaks' as const),
})
const question: fc.Arbitrary<Question> = fc.record({
  sets: fc.array(fc.integer({ min: -30, max: 150 }), { maxLength: 2 }),
  passes: fc.constantFrom(0, 5, 30, 90),
  bare: fc.constantFrom(false, false, true),
  rounds: fc.array(round, { minLength: 8, maxLength: 8 }),
})
const session = fc.array(question, { minLength: 1, maxLength: 5 })

/**
 * An answer that broke off within its first event is nothing but an error; a waiting client of Responses gets its
 * output so far.
 */
const borne = /^event 0: error comes first$|response\.in_progress has an output of \d+ items$/

const isResult = (item: JsonObject | undefined): boolean =>
  /"(?:tool_result|functionResponse|function_call_output)"|"role":"tool"/.test(JSON.stringify(item))

async function play(entry: EntryProtocol, questions: readonly Question[]): Promise<void> {
  const s = await clockScene(entry, { tag: true, tools: [emptyReplyContinue] })
  let alarms = 0
  const name = () => `A${++alarms}.`
  let history: JsonObject[] = []
  /** the requests of answers that the client kept, without the time */
  const kept: string[][] = []
  for (const [i, { sets, passes, bare, rounds }] of questions.entries()) {
    await s.world.clock.advance(passes * seconds)
    for (const inSeconds of sets) await s.world.set('s1', inSeconds * seconds, name())
    const asked = isResult(history.at(-1)) ? history : [...history, userItem(entry, `Question ${i}.`)]
    const answer = await exchange(entry, s, asked, bare ? [] : ['Read'], rounds, name)
    if (answer === null) continue
    for (const items of answer.sent) {
      expect(items.slice(0, kept.at(-1)?.length ?? 0)).toEqual(kept.at(-1) ?? [])
      kept.push(items)
    }
    history = [...asked, ...historyOf(entry, answer.text)]
  }
  for (const { task, deliveryCount, state } of s.states()) {
    expect([deliveryCount, state === 'delivered'], task).toEqual(deliveryCount === 0 ? [0, false] : [1, true])
    expect(state === 'delivered' || state === 'waits', `${task} is ${state}`).toBe(true)
  }
}

/** One request with all its rounds. @returns null: the client keeps nothing of it */
async function exchange(
  entry: EntryProtocol,
  s: ClockScene,
  asked: readonly JsonObject[],
  tools: readonly string[],
  script: readonly Round[],
  name: () => string,
): Promise<{ text: string; sent: string[][] } | null> {
  const idle = s.world.clock.pending()
  const from = s.upstream.rounds.length
  const { client, over } = await s.ask(requestOf(entry, asked, { tools }))
  let done = false
  const ended = over.then((result) => {
    done = true
    return result
  })
  const sent: string[][] = []
  let failed = false
  for (const [i, one] of script.entries()) {
    // A held answer waits for its alarm.
    for (let waited = 0; !done && s.upstream.rounds.length <= from + i && waited < 200; waited++)
      await s.world.clock.advance(seconds)
    const upstream = s.upstream.rounds[from + i]
    if (!upstream) break
    expect(refusedOf[entry](upstream.json)).toEqual([])
    const tags = upstream.body.toString().match(/\[Time\/Date\]/g)?.length ?? 0
    expect(tags).toBe(i > 0 ? 0 : isResult(asked.at(-1)) ? tags && 1 : 1)
    sent.push(conversationIn(listOf[entry], upstream.body))
    const told = Array.from(upstream.body.toString().matchAll(/scheduled task:\\"(A\d+)\./g), ([, task]) => task)
    expect(told).toEqual([...new Set(told)])
    await s.world.clock.advance(one.takes * seconds)
    const last = i === script.length - 1
    if (one.fails === 'refuses') upstream.refuse(500)
    else if (one.fails === 'breaks') {
      upstream.head()
      for (const event of upstream.events({ text: 'A longer text that comes in pieces.' }).slice(0, 3))
        upstream.data(event)
      upstream.fail()
    } else upstream.answer(saysOf(one, `${from + i}`, last, s, name))
    failed ||= one.fails !== null
  }
  for (let waited = 0; !done && waited < 200; waited++) await s.world.clock.advance(seconds)
  const { error, end } = await ended
  await s.rest()
  expect(s.world.clock.pending()).toBeLessThanOrEqual(idle + 1)
  if (error || end.status >= 400) {
    expect(failed).toBe(true)
    return null
  }
  expect(client.ended).toBe('whole')
  expect(problemsOf(entry, client.text).filter((problem) => !borne.test(problem))).toEqual([])
  const heard = heardOf(entry, client.text)
  expect(heard.problems).toEqual([])
  expect(heard.calls.map((call) => call.name)).not.toContain('clock')
  return failed || (withoutBlanks(heard.text) === '' && heard.calls.length === 0) ? null : { text: client.text, sent }
}

function saysOf(
  { words, thinks, looks, schedules, reads }: Round,
  n: string,
  last: boolean,
  s: ClockScene,
  name: () => string,
): Says {
  const calls = last
    ? []
    : [
        ...(looks ? [clockCall(`look_${n}`, { action: 'list' })] : []),
        ...(schedules === null
          ? []
          : [
              clockCall(`set_${n}`, {
                action: 'schedule',
                items: [wish(s.world.clock.now() + schedules * seconds, name())],
              }),
            ]),
        ...(reads ? [{ name: 'Read', id: `read_${n}`, input: { path: n } }] : []),
      ]
  return {
    ...(thinks ? { thinking: `Thought ${n}.` } : {}),
    ...(words === '' && !last ? {} : { text: last ? 'The end.' : words }),
    ...(calls.length > 0 ? { toolCalls: calls } : {}),
  }
}

describe.each(entryProtocols)('sessions with alarms of a %s client', (entry) => {
  it('send, but for the time, what they sent before and more; no alarm is told twice; answers are whole', async () => {
    await fc.assert(
      fc.asyncProperty(session, (questions) => play(entry, questions)),
      runs(40),
    )
  }, 240_000)
})
