/**
 * Alarms on a disk that takes no more: whoever sets one is told so at once, nothing is half-written, and what is set
 * goes its way.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { alarmStory, schedule, toldAlarm, userTexts } from './support/alarm-story.ts'
import { bodyOf, bodyEntries, providersFor } from './support/entries.ts'
import { newHome, removeHomes } from './support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from './support/engine.ts'
import { heard } from './support/heard.ts'
import { callTool, say, startMockUpstream, type MockRequest, type MockUpstream } from './support/mock-upstream/index.ts'
import { onward } from './support/onward-cli.ts'
import { noOwnDisk, ownDisk, type OwnDisk } from './support/own-disk.ts'
import { post } from './support/post.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

afterAll(removeHomes)
const minute = 60_000

describe.each([
  {
    place: 'the session folder',
    what: 'read-only',
    why: 'the disk is read-only',
    begin: (disk: OwnDisk) => disk.readOnly(),
    end: (disk: OwnDisk) => disk.writable(),
  },
  {
    place: 'the whole home',
    what: 'full',
    why: 'the disk is full',
    begin: (disk: OwnDisk) => disk.fill(),
    end: (disk: OwnDisk) => disk.free(),
  },
])('$place on a disk that becomes $what', ({ place, why, begin, end }) => {
  let disk: OwnDisk
  let mock: MockUpstream
  let engine: EngineForTest
  let sessions: string

  beforeAll(async () => {
    if (noOwnDisk !== null) return
    disk = ownDisk()
    mock = await startMockUpstream({ keys: ['sk-upstream'], auxiliary: 'script' })
    const home = place === 'the whole home' ? join(disk.folder, 'home') : newHome()
    const elsewhere = join(disk.folder, 'sessions')
    engine = await startEngineForTest(
      { ...providersFor(mock), clock: { tickMs: 200, ntp: { enabled: false } } },
      { home, ...(place === 'the whole home' ? {} : { env: { ROUTECODEX_SESSION_DIR: elsewhere } }) },
    )
    sessions = place === 'the whole home' ? join(home, 'sessions', `127.0.0.1_${engine.port}`) : elsewhere
    for (const door of bodyEntries) {
      mock.queue(say('Hello.'))
      await turn(door, 'Hi')
      // Two: what is left after one is gone has to be written.
      for (const task of ['set in time', 'set in time, too'])
        await engine.control.api.addAlarm.mutate({ session: door.entry, dueAt: Date.now() + 30 * minute, task })
    }
    // One that a request may take along, for a disk that can't note it.
    await engine.control.api.addAlarm.mutate({ session: 'chat', dueAt: Date.now() + 1_000, task: 'due soon' })
    await waitFor('its time', () => alarmStory(engine.control, 'chat').includes('alarm-rang'))
    before = files()
    await begin(disk)
  })
  afterAll(async () => {
    await engine?.dispose()
    await mock?.dispose()
    await disk?.dispose()
  })
  const skip = (context: TestContext) => context.skip(noOwnDisk !== null, noOwnDisk ?? '')

  let before: Readonly<Record<string, string>> = {}
  const files = () =>
    Object.fromEntries(
      readdirSync(join(sessions, 'clock')).map((name) => [name, readFileSync(join(sessions, 'clock', name), 'utf8')]),
    )
  const turn = async (door: (typeof bodyEntries)[number], text: string) => {
    const answer = await post(engine, door.path, bodyOf(door, [text]), {
      headers: { ...door.headers, 'x-session-id': door.entry },
    })
    expect(answer.status).toBe(200)
    return answer.body.toString()
  }
  const lastRequest = () => mock.requests.at(-1) as MockRequest

  it.each(bodyEntries)('the model is told over $entry that its alarm could not be kept, and goes on', async (door) => {
    if (noOwnDisk !== null) return
    mock.queue(schedule({ 'not kept': Date.now() + 10 * minute }), say('It could not be kept.'))
    expect(await turn(door, 'Wake me.')).toContain('It could not be kept.')
    expect(JSON.parse(heard(lastRequest()).results.at(-1)?.text ?? '')).toMatchObject({
      ok: false,
      error: { code: 'store-failed', message: expect.stringContaining(why) },
    })
    const { taskId = '' } =
      (await engine.control.api.alarmsOf.query(door.entry)).find(({ task }) => task === 'set in time') ?? {}
    mock.queue(callTool('clock', { action: 'cancel', items: [], taskId }), say('Nor forgotten.'))
    expect(await turn(door, 'Forget it.')).toContain('Nor forgotten.')
    expect(JSON.parse(heard(lastRequest()).results.at(-1)?.text ?? '')).toMatchObject({
      ok: false,
      error: { code: 'store-failed' },
    })
  })

  it('a person is told, too', async (context) => {
    skip(context)
    const refused = { data: { onwardCode: 'store-failed' }, message: expect.stringContaining(why) }
    const { api } = engine.control
    const one = (await api.alarmsOf.query('responses'))[0]
    expect(one).toMatchObject({ task: 'set in time', state: { kind: 'waits' } })
    const alarm = one?.taskId ?? ''
    await expect(
      api.addAlarm.mutate({ session: 'responses', dueAt: Date.now() + minute, task: 'no' }),
    ).rejects.toMatchObject(refused)
    await expect(api.editAlarm.mutate({ alarm, task: 'no' })).rejects.toMatchObject(refused)
    await expect(api.snoozeAlarm.mutate({ alarm })).rejects.toMatchObject(refused)
    await expect(api.cancelAlarm.mutate(alarm)).rejects.toMatchObject(refused)
    const { code, err } = await onward([
      'alarm',
      'add',
      'responses',
      'in 20 min',
      'no',
      '--home',
      engine.home,
      '--port',
      String(engine.port),
    ])
    expect(code).toBe(4)
    expect(err).toContain(why)
  })

  it('nothing was half-written, and what was set is as it was', async (context) => {
    skip(context)
    expect(files()).toEqual(before)
    expect(
      readdirSync(sessions, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tmp')),
    ).toEqual([])
    for (const { entry } of bodyEntries)
      expect(
        (await engine.control.api.alarmsOf.query(entry)).filter(({ task }) => task === 'set in time'),
      ).toMatchObject([{ state: { kind: 'waits' } }])
  })

  it('once it is well everything is taken, and what was due comes once', async (context) => {
    skip(context)
    end(disk)
    const [door] = bodyEntries
    mock.queue(callTool('clock', { action: 'clear', items: [], taskId: '' }), say('Forgotten.'))
    expect(door?.entry).toBe('chat')
    if (!door) return
    await turn(door, 'Now?')
    expect(
      mock.requests.flatMap((request) => userTexts(request)).filter((text) => toldAlarm('due soon').test(text)).length,
    ).toBeGreaterThan(0)
    await waitFor('its delivery', () => alarmStory(engine.control, 'chat').includes('alarm-delivered request'))
    await engine.control.api.addAlarm.mutate({ session: 'messages', dueAt: Date.now() + 20 * minute, task: 'taken' })
    await engine.kill()
    engine = await engine.restart()
    expect(alarmStory(engine.control, 'chat')).toEqual([])
    expect((await engine.control.api.alarmsOf.query('messages')).map(({ task }) => task)).toEqual([
      'taken',
      'set in time',
      'set in time, too',
    ])
    expect((await engine.control.api.alarmsOf.query('chat')).filter(({ state }) => state.kind === 'waits')).toEqual([])
    expect((await engine.control.api.alarms.query()).missed).toEqual([])
  })
})
