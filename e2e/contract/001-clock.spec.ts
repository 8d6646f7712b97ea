import { randomUUID } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { answerTo } from '../../electron/engine/clock/ntp/testing/answer-to.ts'
import { engineLogFile } from '../../electron/hosts/engine-log.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { alarmStory, schedule, toldAlarm, userTexts } from '../support/alarm-story.ts'
import { allEntries, bodyOf, chatEntry, pathOf, providersFor, type TestEntry } from '../support/entries.ts'
import { newHome, removeHomes } from '../support/engine-process.ts'
import { heard } from '../support/heard.ts'
import {
  callTool,
  fail,
  gate,
  say,
  startMockUpstream,
  type MockReply,
  type MockUpstream,
} from '../support/mock-upstream/index.ts'
import { at } from '../support/mock-upstream/json-path.ts'
import { nothingMore } from '../support/nothing-more.ts'
import { noOwnDisk, ownDisk, type OwnDisk } from '../support/own-disk.ts'
import { call, post } from '../support/post.ts'
import { startSkewedEngine, type SkewedEngine } from '../support/skewed-engine.ts'

const key = 'local-test-key'
const minute = 60_000
const tasksIn = (file: string) =>
  z.looseObject({ tasks: z.array(z.looseObject({ task: z.string() })) }).parse(JSON.parse(file)).tasks

describe('clock', () => {
  let mock: MockUpstream
  let engine: SkewedEngine
  let session: string
  beforeAll(async () => {
    mock = await startMockUpstream({ keys: ['sk-upstream'], auxiliary: 'script' })
    engine = await startSkewedEngine({
      config: {
        ...providersFor(mock, 'sk-upstream', allEntries),
        server: { keys: [key] },
        // no one answers there
        clock: { ntp: { servers: ['127.0.0.1:9'], timeoutMs: 100 } },
        // stopMessage for clients without a terminal
        stopMessage: { delivery: 'reenter', settleMs: 0 },
      },
      env: { ROUTECODEX_CLOCK_NTP: '' },
    })
  })
  beforeEach(() => {
    session = randomUUID()
  })
  afterAll(async () => {
    expect(mock.problems).toEqual([])
    await engine.stop()
    await mock.dispose()
    removeHomes()
  })

  const ask = async (
    said: string,
    replies: MockReply[],
    { stream = false, of = session as string | null, door = chatEntry as TestEntry } = {},
  ) => {
    mock.script(() => replies.shift())
    const answer = await post({ ...engine, key }, pathOf(door, stream), bodyOf(door, [said], { stream }), {
      headers: { ...door.headers, ...(of === null ? {} : { session_id: of }) },
    })
    return { status: answer.status, text: answer.body.toString() }
  }
  /** on an engine whose `clock` is set so */
  const configured = async (clock: object, work: () => Promise<void>) => {
    const usual = engine
    engine = await startSkewedEngine({
      config: { ...providersFor(mock, 'sk-upstream', allEntries), server: { keys: [key] }, clock },
    })
    try {
      await work()
    } finally {
      await engine.stop()
      engine = usual
    }
  }
  const last = () => {
    const request = mock.turns().at(-1)
    if (!request) throw new Error('nothing was asked')
    return request
  }
  /** What the tool said to the model. */
  const result = () => z.looseObject({ ok: z.boolean() }).parse(JSON.parse(heard(last()).results.at(-1)?.text ?? ''))
  const itemIn = (ms: number, task: string) => ({
    dueAt: new Date(engine.clock.now() + ms).toISOString(),
    task,
    tool: 'bash',
    arguments: '{"cmd":"ls"}',
  })
  const run = async (input: object, of: string | null = session) => {
    await ask('Go.', [callTool('clock', { items: [], taskId: '', ...input }), say('Fine.')], { of })
    return result()
  }
  const set = async (task: string, inMs: number, stream = false) => {
    const dueAt = engine.clock.now() + inMs
    const answer = await ask('Wake me.', [schedule({ [task]: dueAt }), say('It is set.')], { stream })
    return { dueAt, answer }
  }
  const lastMessage = ({ json }: { json: unknown }) =>
    z
      .object({ messages: z.array(z.object({ role: z.string(), content: z.unknown() })) })
      .parse(json)
      .messages.at(-1)
  /** where its sessions are kept; by itself in its home */
  let elsewhere: string | null = null
  const state = () => elsewhere ?? join(engine.home, 'sessions')
  const fileOf = (name: string): string | undefined =>
    readdirSync(state(), { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith(name))
  /** as another program reads it; without alarms there is no file */
  const kept = () => {
    const path = fileOf(`clock/${session}.json`)
    return path === undefined ? [] : tasksIn(readFileSync(join(state(), path), 'utf8'))
  }
  const story = () => alarmStory(engine.control, session)
  const until = (step: string) => waitFor(step, () => story().includes(step))

  describe('1.1 the tool', () => {
    it('every turn declares it, with a strict schema whose members are all required', async () => {
      for (const door of allEntries) {
        await ask('Hello.', [say('Hello.')], { door, of: randomUUID() })
        const tool = heard(last()).tools.find(({ name }) => name === 'clock')
        expect(tool?.parameters).toMatchObject({
          required: ['action', 'items', 'taskId'],
          properties: {
            action: { enum: ['get', 'schedule', 'list', 'cancel', 'clear'] },
            items: { items: { required: ['dueAt', 'task', 'tool', 'arguments'] } },
          },
        })
      }
      await ask('Hello.', [say('Hello.')])
      expect(last().json).toMatchObject({ tools: [{ type: 'function', function: { name: 'clock', strict: true } }] })
    })

    it('clock.enabled: false: it is not declared, and the time is not told', async () => {
      await configured({ enabled: false }, async () => {
        for (const door of allEntries) {
          await ask('Hello.', [say('Hello.')], { door })
          expect(last().body.toString()).toBe(bodyOf(door, ['Hello.'], { stream: false }))
        }
      })
    })

    it('without a session nothing can be set, cancelled or cleared, and the model is told so', async () => {
      mock.script(() => undefined)
      for (const action of ['schedule', 'cancel', 'clear']) {
        const input = { action, items: [itemIn(minute, 'x')], taskId: 'x' }
        expect(await run(input, null)).toMatchObject({ ok: false, error: { code: 'no-session' } })
      }
      expect(last().body.toString()).not.toContain('scheduled task')
    })
  })

  describe('1.2 when an alarm comes', () => {
    it('from a minute before its time on, with the next request', async () => {
      await set('look at the tests', 10 * minute)
      engine.clock.jump(7 * minute)
      await ask('And?', [say('Nothing.')])
      expect(userTexts(last()).join()).not.toContain('scheduled task')
      engine.clock.jump(2.1 * minute)
      await ask('And now?', [say('Yes.')])
      expect(last().body.toString()).toContain(String.raw`[scheduled task:\"look at the tests\"]`)
    })

    it('overdue as well, for twenty minutes, and not after them', async () => {
      await set('late', 5 * minute)
      engine.clock.jump(24 * minute)
      await ask('And?', [say('Yes.')])
      expect(last().body.toString()).toContain('late')
      await set('too late', 5 * minute)
      engine.clock.jump(26 * minute)
      await ask('And?', [say('No.')])
      expect(last().body.toString()).not.toContain('too late')
    })

    it('once', async () => {
      await set('only once', 5 * minute)
      engine.clock.jump(5 * minute)
      await ask('And?', [say('Yes.')])
      expect(last().body.toString()).toContain('only once')
      await ask('And now?', [say('No.')])
      expect(last().body.toString()).not.toContain('only once')
    })
  })

  describe('1.3 and 9 answers that are held open', () => {
    it('a finished answer, stream or JSON, goes on with it in the same answer', async () => {
      for (const stream of [false, true]) {
        session = randomUUID()
        const task = `look ${stream ? 'at the stream' : 'at the body'}`
        const replies = [schedule({ [task]: engine.clock.now() + 100_000 }), say('It is set.'), say('I looked.')]
        const answer = ask('Wake me.', replies, { stream })
        await waitFor('the hold', () =>
          engine.control.events.some((event) => event.sessionId === session && event.body.type === 'hold-started'),
        )
        engine.clock.jump(50_000)
        expect((await answer).text).toContain('I looked.')
        expect(last().body.toString()).toContain(task)
      }
    })

    it('one that ended at the token limit as well', async () => {
      const replies = [
        schedule({ look: engine.clock.now() + 100_000 }),
        say('Set.', { finish: 'length' }),
        say('Done.'),
      ]
      const answer = ask('Wake me.', replies)
      await until('hold-started')
      engine.clock.jump(50_000)
      expect((await answer).text).toContain('Done.')
    })

    it('one that ended with a call of the client’s own tool is not held', async () => {
      const replies = [schedule({ look: engine.clock.now() + 100_000 }), callTool('look', {})]
      expect((await ask('Wake me.', replies)).text).toContain('"tool_calls"')
      expect(story()).not.toContain('hold-started')
    })

    it('without a request nothing is sent: the next one carries it', async () => {
      await set('look', 5 * minute)
      engine.clock.jump(6 * minute)
      await until('alarm-rang')
      await nothingMore(mock, engine)
      await ask('And?', [say('Yes.')])
      expect(userTexts(last()).at(-1)).toMatch(toldAlarm('look'))
    })

    it('an answer is held for at most a minute', async () => {
      const { answer } = await set('much later', 130_000)
      expect(answer.text).toContain('It is set.')
      expect(story()).not.toContain('hold-started')
    })

    it('clock.hold.until: "due": until its time, and only for what is due within a minute', async () => {
      await configured({ hold: { until: 'due' } }, async () => {
        expect((await set('later', 70_000)).answer.text).toContain('It is set.')
        expect(story()).not.toContain('hold-started')
        const begins = gate()
        const answer = ask('And?', [say('Wait.', { hold: { at: 'head', until: begins } }), say('I looked.')])
        await waitFor('the request', () => last().lastUserText?.startsWith('And?'))
        engine.clock.jump(15_000)
        begins.open()
        await until('hold-started')
        await nothingMore(mock, engine)
        engine.clock.jump(54_000)
        expect((await answer).text).toContain('I looked.')
      })
    })

    it('a client may leave meanwhile, and its next request takes the alarm along', async () => {
      const replies = [schedule({ look: engine.clock.now() + 100_000 }), say('Set.')]
      mock.script(() => replies.shift())
      const leaving = call({ ...engine, key }, chatEntry.path, bodyOf(chatEntry, ['Wake me.']), {
        headers: { session_id: session },
      })
      await until('hold-started')
      leaving.leave()
      await until('hold-ended client-left')
      engine.clock.jump(50_000)
      await ask('And?', [say('Yes.')])
      expect(userTexts(last()).at(-1)).toMatch(toldAlarm('look'))
    })
  })

  describe('1.4 beside stopMessage', () => {
    const armed = (...then: MockReply[]) =>
      ask('Wake me. <**stopMessage:"carry on",1**>', [
        schedule({ look: engine.clock.now() + 100_000 }),
        say('It is set.'),
        ...then,
      ])

    it('its followup goes first, and nothing is held then', async () => {
      await armed(callTool('look', {}))
      expect(last().lastUserText).toContain('carry on')
      expect(story()).not.toContain('hold-started')
    })

    it('an answer is held only when it does not fire: its rounds are used', async () => {
      const answer = armed(say('Nothing more.'), say('I looked.'))
      await until('hold-started')
      expect(last().lastUserText).toContain('carry on')
      engine.clock.jump(50_000)
      expect((await answer).text).toContain('I looked.')
      expect(userTexts(last()).at(-1)).toMatch(toldAlarm('look'))
    })
  })

  describe('2.3 what the tool answers', () => {
    it('get: the time in both zones, and how the clock was compared', async () => {
      expect(await run({ action: 'get' })).toMatchObject({
        ok: true,
        action: 'get',
        active: true,
        nowMs: expect.any(Number),
        utc: expect.any(String),
        local: expect.any(String),
        timezone: expect.any(String),
        ntp: expect.any(Object),
      })
    })

    it('schedule: each task with its id', async () => {
      await set('look', 10 * minute)
      expect(result()).toMatchObject({ ok: true, scheduled: [{ taskId: expect.any(String), task: 'look' }] })
    })

    it('schedule with a known id: it is overwritten', async () => {
      await set('first', 10 * minute)
      const { scheduled } = z.looseObject({ scheduled: z.array(z.looseObject({ taskId: z.string() })) }).parse(result())
      const [task] = scheduled
      await run({ action: 'schedule', items: [itemIn(20 * minute, 'second')], taskId: task?.taskId })
      expect(await run({ action: 'list' })).toMatchObject({ items: [{ taskId: task?.taskId, task: 'second' }] })
    })

    it('list, cancel with the id it took away, and clear with their number', async () => {
      await set('one', 10 * minute)
      await set('two', 20 * minute)
      const { items } = z
        .looseObject({ items: z.array(z.looseObject({ taskId: z.string(), task: z.string() })) })
        .parse(await run({ action: 'list' }))
      expect(items.map(({ task }) => task)).toEqual(['one', 'two'])
      const taskId = items[0]?.taskId
      expect(await run({ action: 'cancel', taskId })).toMatchObject({ ok: true, removed: taskId })
      expect(await run({ action: 'clear' })).toMatchObject({ ok: true, removedCount: 1 })
    })

    it('list: one that was delivered says when, as long as it is kept', async () => {
      await set('one', 5 * minute)
      engine.clock.jump(5 * minute)
      await ask('And?', [say('Yes.')])
      await until('alarm-delivered request')
      expect(await run({ action: 'list' })).toMatchObject({
        items: [{ taskId: expect.any(String), dueAt: expect.any(String), deliveredAt: expect.any(String) }],
      })
    })

    it('a time that can’t be read is an error at once', async () => {
      const items = [{ ...itemIn(0, 'x'), dueAt: 'tomorrow-ish' }]
      expect((await run({ action: 'schedule', items })).ok).toBe(false)
      expect(await run({ action: 'list' })).toMatchObject({ items: [] })
    })

    it('a person clears all of a session’s with a marker', async () => {
      await set('one', 10 * minute)
      await ask('<**clock:clear**>', [say('Never asked.')])
      expect(kept()).toEqual([])
      expect(await run({ action: 'list' })).toMatchObject({ items: [] })
    })
  })

  describe('3 and 4 what is kept, and where', () => {
    it('a file for each session, flat, with all that is known of its tasks', async () => {
      await run({ action: 'schedule', items: [itemIn(10 * minute, 'kept')] })
      const path = await waitFor('its file', () => fileOf(`clock/${session}.json`))
      expect(JSON.parse(readFileSync(join(state(), path), 'utf8'))).toMatchObject({
        version: 1,
        sessionId: session,
        tasks: [
          {
            taskId: expect.stringMatching(/^[0-9a-f-]{36}$/),
            sessionId: session,
            dueAtMs: expect.any(Number),
            createdAtMs: expect.any(Number),
            updatedAtMs: expect.any(Number),
            task: 'kept',
            tool: 'bash',
            arguments: { cmd: 'ls' },
            deliveryCount: 0,
          },
        ],
        updatedAtMs: expect.any(Number),
      })
    })

    it('it is on the disk before the model hears that it is set, changed or gone', async () => {
      const seen: unknown[] = []
      const watched = async (input: object) => {
        const replies = [callTool('clock', { items: [], taskId: '', ...input }), say('Fine.')]
        mock.script(({ lastUserText }) => {
          if (lastUserText === null) seen.push(kept().map(({ task }) => task))
          return replies.shift()
        })
        await post({ ...engine, key }, chatEntry.path, bodyOf(chatEntry, ['Go.']), { headers: { session_id: session } })
      }
      await watched({ action: 'schedule', items: [itemIn(10 * minute, 'one'), itemIn(20 * minute, 'two')] })
      const taskId = z.looseObject({ scheduled: z.array(z.object({ taskId: z.string() })) }).parse(result())
        .scheduled[0]?.taskId
      await watched({ action: 'cancel', taskId })
      await watched({ action: 'clear' })
      expect(seen).toEqual([['one', 'two'], ['two'], []])
    })
  })

  describe('5 how it is put in and counted', () => {
    it('the time is the last user message of each turn', async () => {
      for (const door of allEntries) {
        await ask('Hello.', [say('Hello.')], { door, of: randomUUID() })
        const message = z
          .array(z.looseObject({ role: z.string() }))
          .parse(at(last().json, door.list))
          .at(-1)
        expect(message?.role).toBe('user')
        expect(JSON.stringify(message)).toMatch(
          /\[Time\/Date\]: utc=`[^`]+` local=`[^`]+` tz=`[^`]+` nowMs=`\d+` ntpOffsetMs=`[^`]+`/,
        )
      }
    })

    it('the reminder is a user message at the end: all that is due, and that missing tools are completed', async () => {
      await run({ action: 'schedule', items: [itemIn(5 * minute, 'look'), itemIn(5 * minute, 'listen')] })
      engine.clock.jump(5 * minute)
      await ask('And?', [say('Yes.')])
      const [said, reminder] = userTexts(last()).slice(-2)
      expect(said).toBe('And?')
      for (const task of ['look', 'listen']) expect(reminder).toContain(`[scheduled task:"${task}"]`)
      expect(reminder).toContain('the system completes the list of tools')
    })

    it('it counts as delivered when the answer begins, and is written down then', async () => {
      await set('look', 5 * minute)
      engine.clock.jump(5 * minute)
      const begins = gate()
      const answer = ask('And?', [say('Yes.', { hold: { at: 'head', until: begins } })])
      await until('alarm-claimed request')
      expect(kept()).toMatchObject([{ deliveryCount: 0 }])
      expect(kept()[0]?.['deliveredAtMs']).toBeUndefined()
      begins.open()
      await answer
      await until('alarm-delivered request')
      await waitFor('its file', () => kept()[0]?.['deliveryCount'] === 1)
      expect(kept()).toMatchObject([{ deliveredAtMs: expect.any(Number) }])
    })

    it('a client that left before that did not get it: the next request carries it', async () => {
      await set('look', 5 * minute)
      engine.clock.jump(5 * minute)
      mock.script(() => say('Too late.', { hold: { at: 'head', until: gate() } }))
      const leaving = call({ ...engine, key }, chatEntry.path, bodyOf(chatEntry, ['And?']), {
        headers: { session_id: session },
      })
      await until('alarm-claimed request')
      leaving.leave()
      await until('alarm-released request')
      await ask('And?', [say('Yes.')])
      expect(userTexts(last()).at(-1)).toMatch(toldAlarm('look'))
    })

    it('a request that failed counts for nothing: the next one carries it again', async () => {
      await set('once more', 5 * minute)
      engine.clock.jump(5 * minute)
      await ask('And?', [fail(400, { message: 'no' })])
      expect(last().body.toString()).toContain('once more')
      expect(kept()).toMatchObject([{ deliveryCount: 0 }])
      expect(kept()[0]?.['deliveredAtMs']).toBeUndefined()
      await ask('And?', [say('Yes.')])
      expect(last().body.toString()).toContain('once more')
    })
  })

  describe('6 how files are cleared', () => {
    it('a look at the clock takes away what is overdue for twenty minutes, and leaves the rest', async () => {
      await run({ action: 'schedule', items: [itemIn(5 * minute, 'old'), itemIn(20 * minute, 'young')] })
      engine.clock.jump(26 * minute)
      await until('alarm-missed expired')
      await waitFor('its file', () => kept().length === 1)
      expect(kept()).toMatchObject([{ task: 'young' }])
    })
  })

  describe('7 what is logged', () => {
    it('every operation: request, session, number, earliest time and the disk’s answer, never a text', async () => {
      const secret = 'nothing of this is for a log'
      const { dueAt } = await set(secret, 5 * minute)
      await run({ action: 'list' })
      engine.clock.jump(5 * minute)
      await ask('And?', [say('Yes.')])
      await until('alarm-delivered request')
      await run({ action: 'cancel', taskId: kept()[0]?.['taskId'] })
      await ask('<**clock:clear**>', [])
      const log = () => readFileSync(engineLogFile(engine.home), 'utf8')
      const lines = (of: string) =>
        log()
          .split('\n')
          .filter((line) => line.includes(session))
          .map((line) => z.looseObject({ msg: z.string() }).parse(JSON.parse(line)))
          .filter(({ msg }) => msg === of)
      await waitFor('the last line', () => lines('alarms').length === 5)
      const same = { session, tasks: 1, earliest: new Date(dueAt).toISOString(), requestId: expect.any(String) }
      expect(lines('alarms')).toMatchObject([
        { did: 'set', write: 'written', ...same },
        { did: 'list', write: 'none', ...same },
        { did: 'delivered', write: 'written', ...same },
        { did: 'cancel', write: 'written', ...same },
        { did: 'clear', write: 'none', ...same, tasks: 0, earliest: null },
      ])
      const taskIds = [expect.any(String)]
      expect(lines('alarm-claimed')).toMatchObject([{ requestId: expect.any(String), taskIds }])
      expect(lines('alarm-delivered')).toMatchObject([{ deliveryCount: 1, taskIds }])
      expect(log()).not.toContain(secret)
    })
  })

  describe('8 how many', () => {
    it('a hundred in one call are set', async () => {
      const items = Array.from({ length: 100 }, (_, n) => itemIn((10 + n) * minute, `look ${n}`))
      await run({ action: 'schedule', items })
      expect(kept()).toHaveLength(100)
    })

    it('what is more than a session keeps is one refusal that says so, and nothing of it is set', async () => {
      const items = Array.from({ length: 201 }, (_, n) => itemIn((10 + n) * minute, `look ${n}`))
      expect(await run({ action: 'schedule', items })).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining('200') },
      })
      expect(await run({ action: 'list' })).toMatchObject({ items: [] })
    })
  })

  describe('10 the right time', () => {
    it('a time server that can’t be asked stops nothing, and is said', async () => {
      await waitFor('its failure', async () => (await engine.control.api.status.query()).timeSync?.status === 'error')
      expect(await run({ action: 'get' })).toMatchObject({
        ok: true,
        ntp: { status: 'error', lastError: expect.any(String) },
      })
    })
  })

  describe('11 no loops', () => {
    it('one that is set within its window keeps the request that may not carry it', async () => {
      await set('at once', 30_000)
      expect(kept()).toMatchObject([{ notBeforeRequestId: expect.any(String) }])
    })

    it('one that is due at once comes with the next request, not within the exchange that set it', async () => {
      const { answer } = await set('at once', 30_000)
      expect(answer.text).toContain('It is set.')
      expect(last().body.toString()).not.toContain(String.raw`[scheduled task:\"at once\"]`)
      await ask('And?', [say('Yes.')])
      expect(last().body.toString()).toContain(String.raw`[scheduled task:\"at once\"]`)
    })
  })

  describe('4, 6, 8 and 10 on a disk of its own, over a restart', () => {
    let usual: SkewedEngine
    let disk: OwnDisk | null = null
    let timeServer: Socket
    let options: Parameters<typeof startSkewedEngine>[0]
    const waiting = randomUUID()
    beforeAll(async () => {
      usual = engine
      disk = noOwnDisk === null ? ownDisk() : null
      elsewhere = disk ? join(disk.folder, 'sessions') : newHome()
      timeServer = createSocket('udp4', (request, { port, address }) => {
        const now = Date.now() + 1_500
        timeServer.send(answerTo(request, { received: now, answered: now }), port, address)
      })
      await new Promise<void>((bound) => timeServer.bind(0, '127.0.0.1', bound))
      const of = (overdueMs: number, task: string) => {
        const known = { createdAtMs: 1, updatedAtMs: 1, deliveryCount: 0 }
        return { ...known, taskId: randomUUID(), sessionId: waiting, dueAtMs: Date.now() - overdueMs, task }
      }
      const tasks = [of(21 * minute, 'too old'), of(10 * minute, 'late')]
      mkdirSync(join(elsewhere, 'clock'), { recursive: true })
      writeFileSync(
        join(elsewhere, `clock/${waiting}.json`),
        JSON.stringify({ version: 1, sessionId: waiting, tasks, updatedAtMs: 1 }),
      )
      options = {
        home: newHome(),
        config: {
          ...providersFor(mock, 'sk-upstream', [chatEntry]),
          server: { keys: [key] },
          clock: {
            holdNonStreaming: false,
            holdMaxMs: 90_000,
            ntp: { servers: [`127.0.0.1:${timeServer.address().port}`] },
          },
        },
        env: { ROUTECODEX_SESSION_DIR: elsewhere, ROUTECODEX_CLOCK_NTP: '' },
      }
      engine = await startSkewedEngine(options)
    })
    afterAll(async () => {
      await engine.stop()
      timeServer.close()
      await disk?.dispose()
      elsewhere = null
      engine = usual
    })
    const offset = async () => {
      await ask('How late is it?', [say('Late.')])
      return Number(/ntpOffsetMs=`(-?\d+)`/.exec(JSON.stringify(lastMessage(last())))?.[1])
    }

    it('a start clears what is overdue for twenty minutes, and keeps what is due until it is asked for', async () => {
      session = waiting
      await waitFor('the file', () => kept().length === 1)
      await ask('And?', [say('Yes.')])
      expect(userTexts(last()).join()).toContain('late')
      expect(userTexts(last()).join()).not.toContain('too old')
    })

    it('files are below ROUTECODEX_SESSION_DIR, that of the time server too', async () => {
      await set('kept', 10 * minute)
      await waitFor('both', () => existsSync(join(state(), 'clock/ntp-state.json')))
      expect(existsSync(join(state(), `clock/${session}.json`))).toBe(true)
    })

    it('holdNonStreaming: false: a JSON answer is not held, a stream is', async () => {
      expect((await set('look', 100_000)).answer.text).toContain('It is set.')
      expect(story()).not.toContain('hold-started')
      const answer = ask('And?', [say('Wait.'), say('I looked.')], { stream: true })
      await until('hold-started')
      engine.clock.jump(50_000)
      expect((await answer).text).toContain('I looked.')
    })

    it('holdMaxMs sets how long', async () => {
      const replies = [schedule({ look: engine.clock.now() + 140_000 }), say('Set.'), say('I looked.')]
      const answer = ask('Wake me.', replies, { stream: true })
      await until('hold-started')
      engine.clock.jump(85_000)
      expect((await answer).text).toContain('I looked.')
    })

    it('a disk that refuses is an error that the model reads at once, and nothing is half set', async (context) => {
      if (!disk) return context.skip(noOwnDisk ?? '')
      await set('before', 10 * minute)
      await disk.readOnly()
      for (const input of [{ action: 'schedule', items: [itemIn(5 * minute, 'x')] }, { action: 'clear' }])
        expect(await run(input)).toMatchObject({ ok: false, error: { code: 'store-failed' } })
      expect(await run({ action: 'list' })).toMatchObject({ items: [{ task: 'before' }] })
      disk.writable()
    })

    it('time and alarms go by the time server, also after a restart without it', async () => {
      await set('over the restart', 10 * minute)
      expect(Math.abs(Number(kept()[0]?.['createdAtMs']) - engine.clock.now() - 1_500)).toBeLessThan(1_000)
      expect(Math.abs((await offset()) - 1_500)).toBeLessThan(1_000)
      timeServer.removeAllListeners('message')
      await engine.stop()
      engine = await startSkewedEngine(options)
      expect(await run({ action: 'list' })).toMatchObject({ items: [{ task: 'over the restart' }] })
      expect(Math.abs((await offset()) - 1_500)).toBeLessThan(1_000)
    })
  })
})
