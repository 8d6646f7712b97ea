/**
 * Alarms and the time through every pair of protocols: calls, reminders and held answers are one ordinary message to
 * the client.
 */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { allPairs, conversionBench } from '../support/conversion-bench.ts'
import { callTool, gate, say, type MockRequest } from '../support/mock-upstream/index.ts'
import { expectOneHistory } from '../support/provider-history.ts'
import type { SdkTool, Talk } from '../support/sdk-clients/index.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'

// A reminder is a message of the user's behind the client's own: Anthropic takes the two for one.
const b = conversionBench({}, /user twice in a row$/)
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

const call = (input: Record<string, unknown>, more: Parameters<typeof callTool>[2] = {}) =>
  callTool('clock', { items: [], taskId: '', ...input }, { piece: 4, ...more })
const wish = (inMs: number, task: string) => ({
  dueAt: new Date(Date.now() + inMs).toISOString(),
  task,
  tool: '',
  arguments: '{}',
})
const hour = 3_600_000

/** how often the time stands in what the provider got, and whether it stands at its very end */
const timesIn = ({ body }: MockRequest) => body.toString().match(/\[Time\/Date\]: utc=/g)?.length ?? 0
const lastTexts = ({ json }: MockRequest): string => {
  const body = json as Record<string, readonly unknown[]>
  return JSON.stringify((body['messages'] ?? body['input'] ?? body['contents'])?.at(-1))
}
const plain = (text: string) => text.replaceAll(/\s+/g, '')
const resultOf = (n: number): Record<string, unknown> =>
  JSON.parse(b.heard(n).results.at(-1)?.text ?? '') as Record<string, unknown>

/** A conversation with its first answer in it, so that its session is known. */
async function begun(pair: (typeof allPairs)[number], stream: boolean): Promise<{ talk: Talk; session: string }> {
  const session = randomUUID()
  const talk = b.talk(pair, 'Be brief.', session)
  b.answers(say('Hello.'))
  talk.user('Hi.')
  expect(await talk.ask({ stream, tools })).toMatchObject({ text: 'Hello.', calls: [], finish: 'stop' })
  return { talk, session }
}
const alarmsOf = (session: string) => b.engine.control.api.alarmsOf.query(session)
const delivered = (session: string) =>
  waitFor('the delivery', async () =>
    (await alarmsOf(session)).every(({ state, deliveryCount }) => state.kind === 'delivered' && deliveryCount === 1),
  )

describe.each(allPairs)('$title', (pair) => {
  it.each(ways)('the model sets, lists, cancels and clears its alarms within its answers, %s', async (_how, stream) => {
    const { talk, session } = await begun(pair, stream)
    b.answers(
      call(
        { action: 'schedule', items: [wish(hour, 'look at the build'), wish(2 * hour, 'call “Ann”')] },
        { text: 'I set two.' },
      ),
      say('They are set.', { piece: 3 }),
    )
    talk.user('Remind me.')
    const first = await talk.ask({ stream, tools })
    expect([plain(first.text), first.calls, first.finish]).toEqual(['Isettwo.Theyareset.', [], 'stop'])
    const scheduled = resultOf(3) as { ok: boolean; scheduled: readonly { taskId: string; task: string }[] }
    expect(scheduled).toMatchObject({ ok: true, scheduled: [{ task: 'look at the build' }, { task: 'call “Ann”' }] })
    expect((await alarmsOf(session)).map(({ taskId, setBy }) => [taskId, setBy])).toEqual(
      scheduled.scheduled.map(({ taskId }) => [taskId, 'model']),
    )

    b.answers(
      call({ action: 'list' }),
      call({ action: 'cancel', taskId: scheduled.scheduled[0]?.taskId }),
      say('One is left.'),
    )
    talk.user('Drop the first.')
    expect(await talk.ask({ stream, tools })).toMatchObject({ text: 'One is left.', calls: [], finish: 'stop' })
    expect([JSON.parse(b.heard(6).results.at(-2)?.text ?? ''), resultOf(6)]).toMatchObject([
      { ok: true, items: [{ task: 'look at the build' }, { task: 'call “Ann”' }] },
      { ok: true, removed: scheduled.scheduled[0]?.taskId },
    ])

    b.answers(call({ action: 'clear' }), say('None is left.'), say('Bye.'))
    talk.user('Drop all.')
    expect(await talk.ask({ stream, tools })).toMatchObject({ text: 'None is left.', calls: [], finish: 'stop' })
    expect(resultOf(8)).toEqual({ ok: true, removedCount: 1 })
    expect(await alarmsOf(session)).toEqual([])
    talk.user('Bye.')
    await talk.ask({ stream, tools })

    const all = Array.from({ length: 9 }, (_, i) => b.request(i + 1))
    expectOneHistory(all)
    expect(all.map(timesIn)).toEqual([1, 1, 0, 1, 0, 0, 1, 0, 1])
    for (const one of all)
      if (timesIn(one) > 0) expect(lastTexts(one)).toMatch(/"\[Time\/Date\]: utc=[^"]*"[^"]*(?:"role":"user"[^"]*)?$/)
  })

  it.each(ways)('an alarm that is due goes with the next request, and stays there, %s', async (_how, stream) => {
    const { talk, session } = await begun(pair, stream)
    await b.engine.control.api.addAlarm.mutate({ session, dueAt: Date.now() - 5_000, task: 'look at the build' })
    b.answers(say('I look.', { piece: 3 }), say('All is well.'))
    talk.user('Go on.')
    expect(await talk.ask({ stream, tools })).toMatchObject({ text: 'I look.', calls: [], finish: 'stop' })
    expect(b.request(2).body.toString()).toContain('[scheduled task:\\"look at the build\\"]')
    await delivered(session)
    talk.user('And?')
    expect((await talk.ask({ stream, tools })).text).toBe('All is well.')
    expect(
      b
        .request(3)
        .body.toString()
        .match(/scheduled task/g),
    ).toHaveLength(1)
    expectOneHistory([1, 2, 3].map((n) => b.request(n)))
  })

  it.each(ways)('an alarm that comes due behind an answer continues it, %s', async (_how, stream) => {
    const { talk, session } = await begun(pair, stream)
    const { taskId } = await b.engine.control.api.addAlarm.mutate({
      session,
      dueAt: Date.now() + hour,
      task: 'look at the build',
    })
    const answered = gate()
    b.answers(
      say('First.', { piece: 3, hold: { at: 'head', until: answered } }),
      call({ action: 'list' }, { text: 'Second.' }),
      say('Third.', { piece: 3 }),
      say('Fourth.'),
    )
    talk.user('Go on.')
    const seen = b.mock.turns().length
    const asked = talk.ask({ stream, tools })
    await waitFor('the request', () => b.mock.turns().length > seen)
    await b.engine.control.api.editAlarm.mutate({ alarm: taskId, dueAt: Date.now() + 700 })
    answered.open()
    const reply = await asked
    expect([plain(reply.text), reply.calls, reply.finish]).toEqual(['First.Second.Third.', [], 'stop'])
    expect(b.request(3).body.toString()).toContain('[scheduled task:\\"look at the build\\"]')
    await delivered(session)
    talk.user('And?')
    expect((await talk.ask({ stream, tools })).text).toBe('Fourth.')
    const all = [1, 2, 3, 4, 5].map((n) => b.request(n))
    expectOneHistory(all)
    expect(all.map(timesIn)).toEqual([1, 1, 0, 0, 1])
  })
})
