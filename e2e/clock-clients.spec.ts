/**
 * Alarms of clients without a terminal, through the official SDKs: they come in an answer that is held open, or with
 * the next request.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { alarmStory, schedule, toldAlarm, userTexts } from './support/alarm-story.ts'
import {
  allEntries,
  bodyOf,
  chatEntry,
  messagesEntry,
  providersFor,
  responsesEntry,
  type TestEntry,
} from './support/entries.ts'
import { removeHomes } from './support/engine-process.ts'
import { fetchWith } from './support/fetch-with.ts'
import { heard } from './support/heard.ts'
import { fail, gate, say, startMockUpstream, type MockReply, type MockUpstream } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { call } from './support/post.ts'
import { expectOneHistory } from './support/provider-history.ts'
import type { AskOptions, SdkReply, SdkTool } from './support/sdk-clients/index.ts'
import { clientAt } from './support/servertool-world.ts'
import { startSkewedEngine, type SkewedEngine } from './support/skewed-engine.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

const key = 'local-test-key'
const task = 'look at the tests'
const look: SdkTool = {
  name: 'look',
  description: 'Looks at a place',
  parameters: { type: 'object', properties: { at: { type: 'string' } } },
}

let mock: MockUpstream
let engine: SkewedEngine
beforeAll(async () => {
  mock = await startMockUpstream({ keys: ['sk-upstream'], auxiliary: 'script' })
  engine = await startSkewedEngine({
    config: { ...providersFor(mock, 'sk-upstream', allEntries), server: { keys: [key] } },
  })
})
afterAll(async () => {
  await engine?.stop()
  await mock?.dispose()
  removeHomes()
})

let before = 0
let replies: MockReply[] = []
beforeEach(() => {
  before = mock.requests.length
  replies = []
  mock.script(() => replies.shift())
})
afterEach(async () => {
  expect(mock.problems).toEqual([])
  const { alarms, missed } = await engine.control.api.alarms.query()
  // What a failed test left behind is none of the next one's.
  for (const { taskId, state } of alarms)
    if (state.kind === 'waits') await engine.control.api.cancelAlarm.mutate(taskId)
  await engine.control.api.dismissAllMissed.mutate()
  expect(missed).toEqual([])
})
const answers = (...next: MockReply[]) => {
  replies.push(...next)
}
const requests = () => mock.requests.slice(before)
const request = (n: number) => waitFor(`request ${n}`, () => requests()[n - 1])

interface Client {
  session: string
  ask(options: AskOptions, said: string): Promise<SdkReply>
  story(): readonly string[]
  until(step: string): Promise<void>
}

function clientOf(door: TestEntry): Client {
  const session = randomUUID()
  const talk = clientAt(door).talk({
    baseUrl: engine.baseUrl,
    key,
    model: 'm-1',
    fetch: fetchWith({ 'x-session-id': session }),
  })
  const story = () => alarmStory(engine.control, session)
  return {
    session,
    story,
    ask(options, said) {
      talk.user(said)
      return talk.ask(options)
    },
    async until(step) {
      await waitFor(`${step} behind ${story().join(', ')}`, () => story().includes(step))
    },
  }
}
/** Sets one 150 seconds ahead, in an answer that ends before that is near. */
async function setAlarm(client: Client, stream: boolean): Promise<void> {
  answers(schedule({ [task]: engine.clock.now() + 150_000 }, { text: 'Let me see. ' }), say('It is set.'))
  const reply = flatly(await client.ask({ stream, tools: [look] }, 'Wake me in 150 seconds.'))
  expect(reply).toMatchObject({ text: 'Let me see. It is set.', calls: [], finish: 'stop' })
}
/**
 * Texts of several rounds stand behind each other as each protocol has them: blocks, items, or paragraphs of one text.
 */
const flat = (text: string) => text.replaceAll(/\s+/g, ' ')
const flatly = <R extends SdkReply>(reply: R): R => ({ ...reply, text: flat(reply.text) })
const lastText = async (n: number) => userTexts(await request(n)).at(-1)

describe.each(allEntries)('over $entry', (door) => {
  it.each([
    ['streaming', true],
    ['in one piece', false],
  ] as const)('an answer is held open until a minute before its alarm, and goes on, %s', async (_how, stream) => {
    const client = clientOf(door)
    const until = gate()
    answers(
      schedule({ [task]: engine.clock.now() + 150_000 }, { text: 'One moment. ' }),
      say('It is set. ', { piece: 4, hold: { at: 'head', until } }),
      say('All green.'),
    )
    const pieces: string[] = []
    let over = false
    const asked = client
      .ask({ stream, tools: [look], onText: (piece) => pieces.push(piece) }, 'Wake me in 150 seconds.')
      .finally(() => {
        over = true
      })
    await request(2)
    engine.clock.jump(40_000)
    until.open()
    await client.until('hold-started')
    // Gemini's last words come with its finish, which is kept back.
    if (stream) await waitFor('the text so far', () => flat(pieces.join('')).startsWith('One moment. It is se'))
    await nothingMore(mock, engine)
    expect(over).toBe(false)
    expect(client.story()).toEqual(['alarm-set', 'servertool-ran', 'hold-started'])

    engine.clock.jump(50_000)
    const reply = flatly(await asked)
    expect(reply).toMatchObject({ text: 'One moment. It is set. All green.', calls: [], finish: 'stop' })
    if (stream) expect(flat(pieces.join(''))).toBe(reply.text)
    await client.until('alarm-delivered hold')
    engine.clock.jump(60_000)
    await client.until('alarm-rang')
    expect(client.story().toSorted()).toEqual(
      [
        'alarm-set',
        'servertool-ran',
        'hold-started',
        'alarm-rang',
        'alarm-claimed hold',
        'hold-ended due',
        'alarm-delivered hold',
      ].toSorted(),
    )
    expect(requests()).toHaveLength(3)
    expect(await lastText(3)).toMatch(toldAlarm(task))

    // What was hidden stands in front of the next words again, and nothing of it comes twice.
    answers(say('Glad to hear it.'))
    expect(await client.ask({ stream, tools: [look] }, 'Thanks.')).toMatchObject({ text: 'Glad to hear it.' })
    const last = await request(4)
    expect(userTexts(last).filter((text) => text.includes('scheduled task'))).toHaveLength(1)
    expect(heard(last)).toMatchObject({
      calls: [{ name: 'clock' }],
      results: [{ text: expect.stringContaining('"scheduled":[') }],
    })
    expectOneHistory(requests())
    await nothingMore(mock, engine)
    expect(client.story()).toHaveLength(7)
  })

  it.each([
    ['streaming', true],
    ['in one piece', false],
  ] as const)('the next request takes it along, and it is delivered as the answer begins, %s', async (_how, stream) => {
    const client = clientOf(door)
    await setAlarm(client, stream)
    engine.clock.jump(150_000)
    await client.until('alarm-rang')
    await nothingMore(mock, engine)
    const until = gate()
    answers(say('All green.', { hold: { at: 'head', until } }))
    const asked = client.ask({ stream, tools: [look] }, 'And now?')
    expect(userTexts(await request(3)).slice(-2)).toEqual(['And now?', expect.stringMatching(toldAlarm(task))])
    // Taken, and not delivered yet.
    expect(client.story()).toEqual(['alarm-set', 'servertool-ran', 'alarm-rang', 'alarm-claimed request'])
    until.open()
    expect(await asked).toMatchObject({ text: 'All green.', calls: [], finish: 'stop' })
    await client.until('alarm-delivered request')

    answers(say('Glad to hear it.'))
    await client.ask({ stream, tools: [look] }, 'Thanks.')
    expect(userTexts(await request(4)).slice(-3)).toEqual([
      'And now?',
      expect.stringMatching(toldAlarm(task)),
      'Thanks.',
    ])
    expectOneHistory(requests())
    await nothingMore(mock, engine)
    expect(client.story()).toEqual([
      'alarm-set',
      'servertool-ran',
      'alarm-rang',
      'alarm-claimed request',
      'alarm-delivered request',
    ])
  })

  it('a request that is refused gives it back, and the next one takes it along', async () => {
    const client = clientOf(door)
    await setAlarm(client, true)
    engine.clock.jump(150_000)
    await client.until('alarm-rang')
    answers(fail(400, { message: 'not like this' }), say('All green.'))
    await expect(client.ask({ stream: true, tools: [look] }, 'And now?')).rejects.toThrow('not like this')
    await client.until('alarm-released request')
    expect(await lastText(3)).toMatch(toldAlarm(task))
    expect(await client.ask({ stream: true, tools: [look] }, 'Once more?')).toMatchObject({ text: 'All green.' })
    expect(await lastText(4)).toMatch(toldAlarm(task))
    expect(userTexts(await request(4)).filter((text) => text.includes('scheduled task'))).toHaveLength(1)
    await client.until('alarm-delivered request')
    expect(client.story()).toEqual([
      'alarm-set',
      'servertool-ran',
      'alarm-rang',
      'alarm-claimed request',
      'alarm-released request',
      'alarm-claimed request',
      'alarm-delivered request',
    ])
  })

  it('a client that leaves ends the hold, and has the alarm with its next request', async () => {
    const client = clientOf(door)
    await setAlarm(client, true)
    // Taken along by a request from a minute before its time on: just before that.
    engine.clock.jump(20_000)
    const until = gate()
    answers(say('Yes.', { hold: { at: 'head', until } }))
    const body = bodyOf(door, ['Wake me in 150 seconds.', 'Let me see. It is set.', 'Still here?'], { stream: true })
    const leaving = call({ baseUrl: engine.baseUrl, key }, door.streamPath ?? door.path, body, {
      headers: { ...door.headers, 'x-session-id': client.session },
    })
    await request(3)
    engine.clock.jump(40_000)
    until.open()
    await client.until('hold-started')
    leaving.leave()
    await client.until('hold-ended client-left')
    engine.clock.jump(90_000)
    await client.until('alarm-rang')
    await nothingMore(mock, engine)
    answers(say('All green.'))
    await client.ask({ stream: true, tools: [look] }, 'Hello again.')
    expect(await lastText(4)).toMatch(toldAlarm(task))
    await client.until('alarm-delivered request')
    expect(client.story()).toEqual([
      'alarm-set',
      'servertool-ran',
      'hold-started',
      'hold-ended client-left',
      'alarm-rang',
      'alarm-claimed request',
      'alarm-delivered request',
    ])
  })
})

describe('while an answer is held open', () => {
  /** what each protocol says while there is nothing to say; Gemini has no word for it */
  const signs = [
    [chatEntry, /^: keep-alive$/m],
    [responsesEntry, /"delta":""/],
    [messagesEntry, /^event: ping$/m],
  ] as const

  it('its connection is kept alive', async () => {
    const until = gate()
    const held = []
    for (const [door, sign] of signs) {
      const client = clientOf(door)
      await setAlarm(client, true)
      held.push({ client, door, sign })
    }
    engine.clock.jump(20_000)
    answers(...held.map(() => say('Yes.', { hold: { at: 'head', until } })))
    const asked = held.map(({ door, client }) => {
      const body = bodyOf(door, ['Wake me in 150 seconds.', 'Let me see. It is set.', 'Still here?'], { stream: true })
      return call({ baseUrl: engine.baseUrl, key }, door.path, body, {
        headers: { ...door.headers, 'x-session-id': client.session },
      })
    })
    await request(9)
    engine.clock.jump(40_000)
    until.open()
    for (const { client } of held) await client.until('hold-started')
    for (const [i, { door, sign }] of held.entries())
      await waitFor(`a sign of life over ${door.entry}`, () => sign.test(asked[i]?.received().toString() ?? ''))
    answers(...held.map(() => say('All green.')))
    engine.clock.jump(30_000)
    for (const answer of await Promise.all(asked.map((one) => one.answer)))
      expect(answer).toMatchObject({ status: 200, whole: true })
    for (const { client } of held) await client.until('alarm-delivered hold')
    for (const one of asked) expect(one.received().toString()).toContain('All green.')
  })
})
