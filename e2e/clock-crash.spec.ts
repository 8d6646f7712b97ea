/** Kill -9 while an alarm is on its way: it comes once, or is missed because nobody knows; it never comes twice. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TimelineEvent } from '../shared/events.ts'
import { alarmStory, toldAlarm, userTexts } from './support/alarm-story.ts'
import { bodyOf, chatEntry, routedTo } from './support/entries.ts'
import { removeHomes } from './support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from './support/engine.ts'
import { endTerminalHosts } from './support/hosted-agent-driver.ts'
import { gate, say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { call, post } from './support/post.ts'
import { startTmux } from './support/tmux.ts'
import { startTurnAgent } from './support/turn-agents.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

const task = 'look at the tests'
let mock: MockUpstream
let engine: EngineForTest
beforeAll(async () => {
  mock = await startMockUpstream()
  mock.otherwise = say('This part is done now.')
})
beforeEach(async () => {
  engine = await startEngineForTest({
    // Due at its time, not before.
    clock: { tickMs: 200, dueWindowMs: 0, ntp: { enabled: false } },
    stopMessage: { settleMs: 100 },
    ...routedTo(mock, 'mock'),
  })
})
afterEach(async () => {
  await engine?.dispose()
  if (engine) endTerminalHosts(engine.home)
})
afterAll(async () => {
  await mock?.dispose()
  removeHomes()
})

const addIn = (session: string, ms: number) =>
  engine.control.api.addAlarm.mutate({ session, dueAt: Date.now() + ms, task })
const until = (session: string, step: string) => waitFor(step, () => alarmStory(engine.control, session).includes(step))
const timeline = async (): Promise<readonly TimelineEvent['body'][]> =>
  (await engine.control.api.timeline.query({ session: null, limit: 500 })).map(({ body }) => body)
const headers = (session: string) => ({ headers: { 'x-session-id': session } })
const lastTexts = () => userTexts(mock.turns().at(-1) ?? expect.fail())

async function diesAndComesBack(): Promise<void> {
  await engine.kill()
  engine = await engine.restart()
}
/** A session of its own, known to the disk. */
async function newSession(): Promise<string> {
  const session = randomUUID()
  await post(engine, chatEntry.path, bodyOf(chatEntry, ['Hi']), headers(session))
  await addIn(session, 3_600_000)
  await engine.control.api.renameSession.mutate({ session, name: 'mine' })
  return session
}
async function expectMissed(session: string): Promise<void> {
  await waitFor('the notice', async () =>
    (await timeline()).some((body) => body.type === 'notified' && body.class === 'alarm-missed'),
  )
  expect(await engine.control.api.alarms.query()).toMatchObject({
    waiting: 1,
    missed: [{ task, why: 'unknown', sessionName: 'mine' }],
  })
  await post(engine, chatEntry.path, bodyOf(chatEntry, ['Once more?']), headers(session))
  expect(lastTexts()).toEqual(['Once more?'])
  const told = await timeline()
  expect(told.filter(({ type }) => type === 'alarm-missed')).toHaveLength(1)
  expect(told.filter((body) => body.type === 'notified' && body.class === 'alarm-missed')).toHaveLength(1)
  expect(told.filter(({ type }) => type === 'alarm-delivered')).toEqual([])
}

describe('kill -9 while an alarm', () => {
  it('is in a request that is not answered yet: nobody knows, and it is not sent again', async () => {
    const session = await newSession()
    await addIn(session, 500)
    await until(session, 'alarm-rang')
    mock.queue(say('Never heard.', { hold: { at: 'head', until: gate() } }))
    const asked = call(engine, chatEntry.path, bodyOf(chatEntry, ['And now?'], { stream: true }), headers(session))
    await until(session, 'alarm-claimed request')
    const sent = await mock.waitFor('the request', (requests) => requests.find(({ outcome }) => outcome === null))
    expect(userTexts(sent).at(-1)).toMatch(toldAlarm(task))
    await diesAndComesBack()
    await asked.answer.catch(() => undefined)
    await expectMissed(session)
  })

  it('goes on with an answer that was held open: nobody knows, and it is not sent again', async () => {
    const session = await newSession()
    await addIn(session, 3_000)
    mock.queue(say('Still here.'), say('Never heard.', { hold: { at: 'head', until: gate() } }))
    const asked = call(engine, chatEntry.path, bodyOf(chatEntry, ['And now?'], { stream: true }), headers(session))
    await until(session, 'hold-started')
    await until(session, 'alarm-claimed hold')
    await mock.waitFor('the request', (requests) => requests.find(({ outcome }) => outcome === null))
    await diesAndComesBack()
    await asked.answer.catch(() => undefined)
    await expectMissed(session)
  })

  it('is waited for by an answer held open: the next request takes it along, once', async () => {
    const session = await newSession()
    await addIn(session, 4_000)
    const asked = call(engine, chatEntry.path, bodyOf(chatEntry, ['And now?'], { stream: true }), headers(session))
    await until(session, 'hold-started')
    await diesAndComesBack()
    await asked.answer.catch(() => undefined)
    await waitFor('its time', async () => (await timeline()).some(({ type }) => type === 'alarm-rang'))
    await post(engine, chatEntry.path, bodyOf(chatEntry, ['Once more?']), headers(session))
    expect(lastTexts()).toEqual(['Once more?', expect.stringMatching(toldAlarm(task))])
    await waitFor('its delivery', async () => (await timeline()).some(({ type }) => type === 'alarm-delivered'))
    await post(engine, chatEntry.path, bodyOf(chatEntry, ['Something else.']), headers(session))
    expect(lastTexts()).toEqual(['Something else.'])
    expect((await timeline()).filter(({ type }) => type === 'alarm-delivered')).toHaveLength(1)
    expect((await engine.control.api.alarms.query()).missed).toEqual([])
  })

  it('waits for a busy agent in its terminal: its next try takes it along, nothing is typed', async () => {
    const agent = await startTurnAgent({ home: 'hosted', engine, tmux: startTmux(), name: 'crash' })
    try {
      const open = gate()
      await agent.say(engine, 'begin')
      await waitFor('its answer', () => agent.idle())
      mock.queue(say('A long one.', { piece: 1, hold: { at: 3, until: open } }))
      await agent.say(engine, 'something long')
      await waitFor('the long answer', () => mock.turns().at(-1)?.lastUserText === 'something long')
      await addIn(agent.session, 500)
      await until(agent.session, 'alarm-claimed terminal')
      await waitFor(
        'it in the queue',
        async () => (await engine.control.api.session.query(agent.session)).queue.length === 1,
      )
      await diesAndComesBack()
      open.open()
      await waitFor('its delivery', async () => (await timeline()).some(({ type }) => type === 'alarm-delivered'))
      await waitFor('the end of its work', () => agent.idle())
      await nothingMore(mock, engine)
      expect((await timeline()).flatMap((body) => (body.type === 'alarm-delivered' ? [body.route] : []))).toEqual([
        'request',
      ])
      expect(lastTexts().slice(-2)).toEqual(['something long', expect.stringMatching(toldAlarm(task))])
      expect(agent.read()).not.toContain('scheduled task')
      expect(await engine.control.api.alarms.query()).toMatchObject({ waiting: 0, missed: [] })
    } finally {
      agent.end()
    }
  })
})
