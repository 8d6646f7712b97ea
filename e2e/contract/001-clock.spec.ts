import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { schedule, userTexts } from '../support/alarm-story.ts'
import { bodyOf, chatEntry, providersFor } from '../support/entries.ts'
import { removeHomes } from '../support/engine-process.ts'
import { heard } from '../support/heard.ts'
import {
  callTool,
  fail,
  say,
  startMockUpstream,
  type MockReply,
  type MockUpstream,
} from '../support/mock-upstream/index.ts'
import { post } from '../support/post.ts'
import { startSkewedEngine, type SkewedEngine } from '../support/skewed-engine.ts'

const key = 'local-test-key'
const minute = 60_000

describe('clock', () => {
  let mock: MockUpstream
  let engine: SkewedEngine
  let session: string
  beforeAll(async () => {
    mock = await startMockUpstream({ keys: ['sk-upstream'], auxiliary: 'script' })
    engine = await startSkewedEngine({
      config: { ...providersFor(mock, 'sk-upstream', [chatEntry]), server: { keys: [key] } },
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

  const ask = async (said: string, replies: MockReply[], { stream = false, of = session as string | null } = {}) => {
    mock.script(() => replies.shift())
    const answer = await post({ ...engine, key }, chatEntry.path, bodyOf(chatEntry, [said], { stream }), {
      headers: of === null ? {} : { session_id: of },
    })
    return { status: answer.status, text: answer.body.toString() }
  }
  const last = () => {
    const request = mock.turns().at(-1)
    if (!request) throw new Error('nothing was asked')
    return request
  }
  /** What the tool said to the model. */
  const result = () => z.looseObject({ ok: z.boolean() }).parse(JSON.parse(heard(last()).results.at(-1)?.text ?? ''))
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
  const state = () => join(engine.home, 'sessions')
  const fileOf = (name: string): string | undefined =>
    readdirSync(state(), { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith(name))

  describe('1.1 the tool', () => {
    it('every request declares it, with a strict schema whose members are all required', async () => {
      await ask('Hello.', [say('Hello.')])
      const tool = heard(last()).tools.find(({ name }) => name === 'clock')
      expect(tool?.parameters).toMatchObject({
        required: ['action', 'items', 'taskId'],
        properties: { action: { enum: ['get', 'schedule', 'list', 'cancel', 'clear'] } },
      })
    })

    it('without a session nothing can be set, and the model is told so', async () => {
      mock.script(() => undefined)
      const items = [
        { dueAt: new Date(engine.clock.now() + minute).toISOString(), task: 'x', tool: '', arguments: '{}' },
      ]
      expect((await run({ action: 'schedule', items }, null)).ok).toBe(false)
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

  describe('1.3 what is held open for it', () => {
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
      const dueAt = new Date(engine.clock.now() + 20 * minute).toISOString()
      const items = [{ dueAt, task: 'second', tool: '', arguments: '{}' }]
      await run({ action: 'schedule', items, taskId: task?.taskId })
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

    it('a time that can’t be read is an error at once', async () => {
      const items = [{ dueAt: 'tomorrow-ish', task: 'x', tool: '', arguments: '{}' }]
      expect((await run({ action: 'schedule', items })).ok).toBe(false)
      expect(await run({ action: 'list' })).toMatchObject({ items: [] })
    })

    it('a person clears all of a session’s with a marker', async () => {
      await set('one', 10 * minute)
      await ask('<**clock:clear**>', [say('Never asked.')])
      expect(await run({ action: 'list' })).toMatchObject({ items: [] })
    })
  })

  describe('3 and 4 what is kept, and where', () => {
    it('a file for each session, flat, with its tasks', async () => {
      const { dueAt } = await set('kept', 10 * minute)
      const path = await waitFor('its file', () => fileOf(`clock/${session}.json`))
      expect(JSON.parse(readFileSync(join(state(), path), 'utf8'))).toMatchObject({
        version: 1,
        sessionId: session,
        tasks: [{ taskId: expect.any(String), sessionId: session, task: 'kept', dueAtMs: dueAt, deliveryCount: 0 }],
        updatedAtMs: expect.any(Number),
      })
    })
  })

  describe('5 how it is put in and counted', () => {
    it('the time is the last user message of each request', async () => {
      await ask('Hello.', [say('Hello.')])
      expect(JSON.stringify(lastMessage(last()))).toMatch(
        /\[Time\/Date\]: utc=`[^`]+` local=`[^`]+` tz=`[^`]+` nowMs=`\d+` ntpOffsetMs=`[^`]+`/,
      )
    })

    it('the reminder says that the system completes missing tools', async () => {
      await set('look', 5 * minute)
      engine.clock.jump(5 * minute)
      await ask('And?', [say('Yes.')])
      expect(last().body.toString()).toMatch(/tools/)
    })

    it('a request that failed counts for nothing: the next one carries it again', async () => {
      await set('once more', 5 * minute)
      engine.clock.jump(5 * minute)
      await ask('And?', [fail(400, { message: 'no' })])
      expect(last().body.toString()).toContain('once more')
      await ask('And?', [say('Yes.')])
      expect(last().body.toString()).toContain('once more')
    })
  })

  describe('11 no loops', () => {
    it('one that is due at once comes with the next request, not within the exchange that set it', async () => {
      const { answer } = await set('at once', 30_000)
      expect(answer.text).toContain('It is set.')
      expect(last().body.toString()).not.toContain(String.raw`[scheduled task:\"at once\"]`)
      await ask('And?', [say('Yes.')])
      expect(last().body.toString()).toContain(String.raw`[scheduled task:\"at once\"]`)
    })
  })
})
