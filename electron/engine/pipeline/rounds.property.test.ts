import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entryProtocols, type EntryProtocol } from '../../../shared/words.ts'
import { withoutBlanks } from '../protocol/server-tools/types.ts'
import type { JsonObject } from '../protocol/values.ts'
import { emptyReplyContinue } from '../servertools/empty-reply.ts'
import { heardOf, historyOf, itemsOf, problemsOf, refusedOf, requestOf, userItem } from './testing/client-view.ts'
import { roundsScene, type RoundsScene } from './testing/rounds-scene.ts'
import type { Says, UpstreamRound } from './testing/scripted-upstream.ts'
import { lookTool } from './testing/slow-tool.ts'
import { runs } from '../../../shared/testing/runs.ts'

/** One answer of a provider. `cuts`: where its bytes are cut; `fails`: the share of them after which it fails. */
interface Round {
  thinks: boolean
  words: string
  looks: number
  reads: number
  cut: boolean
  cuts: readonly number[]
  fails: number | null
}
interface Played {
  turns: readonly (readonly Round[])[]
  stream: boolean
}

const words = fc.oneof(
  fc.constant(''),
  fc.constantFrom('Hi there.', 'Use "look" {"name":"look"}.', '世界 \u2028 “q” \\ ', 'A\n\nB', ' \n '),
  fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
)
const round = fc.record({
  thinks: fc.boolean(),
  words,
  looks: fc.integer({ min: 0, max: 2 }),
  reads: fc.constantFrom(0, 0, 0, 1, 2),
  cut: fc.constantFrom(false, false, false, true),
  cuts: fc.array(fc.nat(5_000), { maxLength: 6 }),
  fails: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, fc.double({ min: 0, max: 0.99, noNaN: true })),
})
const played: fc.Arbitrary<Played> = fc.record({
  turns: fc.array(fc.array(round, { minLength: 7, maxLength: 7 }), { minLength: 1, maxLength: 4 }),
  stream: fc.constant(true),
})

const saysOf = ({ thinks, words: text, looks, reads, cut }: Round, n: number): Says => ({
  ...(thinks ? { thinking: `Thought ${n}.` } : {}),
  ...(text === '' ? {} : { text: `${text}` }),
  ...(looks + reads === 0
    ? {}
    : {
        toolCalls: [
          ...Array.from({ length: looks }, (_, i) => ({
            name: 'look',
            id: `look_${n}_${i}`,
            input: { name: 'look', n },
          })),
          ...Array.from({ length: reads }, (_, i) => ({
            name: 'Read',
            id: `read_${n}_${i}`,
            input: { path: `look ${n}` },
          })),
        ],
      }),
  ...(cut ? { finish: 'length' as const } : {}),
})

/** @returns true if all of it came */
function play(upstream: UpstreamRound, scripted: Round, n: number): boolean {
  const bytes = Buffer.from(upstream.events(saysOf(scripted, n)).join(''))
  if (scripted.fails === 0) {
    upstream.fail('upstream-unreachable')
    return false
  }
  const end = scripted.fails === null ? bytes.length : Math.floor(bytes.length * scripted.fails)
  const marks = [0, ...scripted.cuts.map((cut) => cut % (end + 1)).toSorted((a, b) => a - b), end]
  upstream.head()
  for (let i = 1; i < marks.length; i++)
    if ((marks[i] ?? 0) > (marks[i - 1] ?? 0)) upstream.data(bytes.subarray(marks[i - 1], marks[i]))
  if (scripted.fails === null) upstream.end()
  else upstream.fail()
  return scripted.fails === null
}

/** One client request with all its rounds. @returns the client's text; null: an error */
async function exchange(
  entry: EntryProtocol,
  scene: RoundsScene,
  history: readonly JsonObject[],
  script: readonly Round[],
  sent: string[][],
): Promise<string | null> {
  const { client, over } = await scene.ask(requestOf(entry, history))
  let done = false
  const ended = over.then((result) => {
    done = true
    return result
  })
  const visible: string[] = []
  const calls: string[] = []
  let bad = false
  let seen = scene.upstream.rounds.length - 1
  for (const scripted of script) {
    await scene.upstream.settled(() => done || scene.upstream.rounds.length > seen, 'a request or the end')
    const upstream = scene.upstream.rounds[seen]
    if (done || !upstream) break
    const n = ++seen
    expect(refusedOf[entry](upstream.json)).toEqual([])
    sent.push(itemsOf(entry, upstream.json))
    if (!play(upstream, scripted, n)) {
      bad = true
      break
    }
    visible.push(withoutBlanks(scripted.words))
    calls.push(...Array.from({ length: scripted.reads }, (_, i) => `read_${n}_${i}`))
  }
  const { error } = await ended
  expect(scene.clock.pending()).toBe(0)
  if (error) {
    expect(bad).toBe(true)
    expect(client.heads).toEqual([])
    return null
  }
  expect(client.ended).toBe('whole')
  // An answer that broke off within its first event is nothing but an error.
  expect(problemsOf(entry, client.text).filter((problem) => problem !== 'event 0: error comes first')).toEqual([])
  const heard = heardOf(entry, client.text)
  expect(heard.problems).toEqual([])
  expect(heard.calls.map(({ name }) => name)).not.toContain('look')
  const text = withoutBlanks(heard.text)
  if (heard.end && 'code' in heard.end) {
    expect(bad).toBe(true)
    expect(text.startsWith(visible.join(''))).toBe(true)
    return null
  }
  if (!bad) {
    expect(heard.calls.map(({ id }) => id)).toEqual(calls)
    expect(text === visible.join('') || (visible.join('') === '' && text === '(Onward:looked)')).toBe(true)
  }
  // A followup that broke off may have shown words that stay; an answer without words is kept by no client.
  return bad || (text === '' && heard.calls.length === 0) ? null : client.text
}

describe.each(entryProtocols)('whatever a provider answers a %s client', (entry) => {
  it('comes whole, valid and once, and what went up before stands at the beginning of what goes up next', async () => {
    await fc.assert(
      fc.asyncProperty(played, async ({ turns }) => {
        const scene = await roundsScene(entry, { tools: [lookTool(), emptyReplyContinue] })
        let history: JsonObject[] = []
        const sent: string[][] = []
        for (const [i, script] of turns.entries()) {
          const asked =
            history.length > 0 && isResult(history.at(-1)) ? history : [...history, userItem(entry, `Question ${i}.`)]
          const before = sent.length
          const got = await exchange(entry, scene, asked, script, sent)
          if (got === null) {
            sent.length = before
            continue
          }
          // Every request begins with everything in the one before it.
          for (let n = 1; n < sent.length; n++) expect(sent[n]?.slice(0, sent[n - 1]?.length)).toEqual(sent[n - 1])
          history = [...asked, ...historyOf(entry, got)]
        }
      }),
      runs(60),
    )
  }, 120_000)
})

const isResult = (item: JsonObject | undefined): boolean =>
  /"(?:tool_result|functionResponse|function_call_output)"|"role":"tool"/.test(JSON.stringify(item))
