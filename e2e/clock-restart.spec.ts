/**
 * Alarms over the death of the engine, through the built `onward`: what was acknowledged is there, and each comes once
 * or is missed.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AlarmView } from '../shared/alarms/alarms.ts'
import type { ConfigInput } from '../shared/config/schema.ts'
import type { TimelineEvent } from '../shared/events.ts'
import { toldAlarm, typedAlarm, userTexts } from './support/alarm-story.ts'
import { aheadBy } from './support/clock-ahead.ts'
import { bodyOf, chatEntry, routedTo } from './support/entries.ts'
import { removeHomes } from './support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from './support/engine.ts'
import { endTerminalHosts } from './support/hosted-agent-driver.ts'
import { say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { onward } from './support/onward-cli.ts'
import { post } from './support/post.ts'
import { seeded } from './support/seeded.ts'
import { startTmux } from './support/tmux.ts'
import { startTurnAgent, type TurnAgent } from './support/turn-agents.ts'
import { everything } from '../shared/testing/runs.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

const minute = 60_000
let mock: MockUpstream
beforeAll(async () => {
  mock = await startMockUpstream()
  mock.otherwise = say('This part is done now.')
})
afterAll(async () => {
  await mock?.dispose()
  removeHomes()
})

const config = (): ConfigInput => ({
  // What is a minute late is missed.
  clock: { tickMs: 200, retentionMs: 4 * minute, ntp: { enabled: false } },
  stopMessage: { settleMs: 100 },
  ...routedTo(mock, 'mock'),
})
const cli = async ({ home, port }: EngineForTest, ...words: string[]): Promise<unknown> => {
  const { code, out, err } = await onward(['alarm', ...words, '--home', home, '--port', String(port), '--json'])
  expect(code, err).toBe(0)
  return JSON.parse(out)
}
const clockFolder = ({ home, port }: EngineForTest) => join(home, 'sessions', `127.0.0.1_${port}`, 'clock')
const timeline = async ({ control }: EngineForTest): Promise<readonly TimelineEvent['body'][]> =>
  (await control.api.timeline.query({ session: null, limit: 500 })).map(({ body }) => body)
const turn = async (engine: EngineForTest, session: string, text = 'Hi') => {
  const answer = await post(engine, chatEntry.path, bodyOf(chatEntry, [text]), { headers: { 'x-session-id': session } })
  expect(answer.status).toBe(200)
}

describe('alarms set by `onward alarm add`', () => {
  let engine: EngineForTest
  let agent: TurnAgent
  /** after its death, on a computer that was off so long */
  const restart = async (aheadMs: number) => {
    const { home, port } = engine
    engine = await startEngineForTest(config(), { home, port, env: aheadBy(aheadMs) })
    await waitFor('the terminal to be back', async () =>
      (await engine.control.api.terminals.query()).some((t) => t.id === agent.terminalId && t.alive),
    )
  }
  beforeAll(async () => {
    engine = await startEngineForTest(config())
    agent = await startTurnAgent({ home: 'hosted', engine, tmux: startTmux(), name: 'restart' })
    await agent.say(engine, 'begin')
    await waitFor('its answer', () => agent.idle())
    for (const session of ['alone', 'asleep']) await turn(engine, session)
  })
  afterAll(async () => {
    agent?.end()
    await engine?.dispose()
    if (engine) endTerminalHosts(engine.home)
  })

  it('are there after kill -9', async () => {
    const set = []
    for (const [session, when, text] of [
      [agent.session, 'in 10 min', 'type this'],
      ['alone', 'in 10 min', 'take this along'],
      [agent.session, 'in 2 min', 'too late to type'],
      ['asleep', 'in 3 min', 'too late to tell'],
      ['alone', 'in 1 hour', 'wait'],
    ] as const) {
      set.push((await cli(engine, 'add', session, when, text)) as AlarmView)
    }
    await engine.kill()
    await restart(0)
    const { alarms, waiting } = await engine.control.api.alarms.query()
    expect(waiting).toBe(5)
    expect(alarms.map(({ taskId, dueAt, task, setBy, state }) => ({ taskId, dueAt, task, setBy, state }))).toEqual(
      set
        .toSorted((a, b) => a.dueAt - b.dueAt)
        .map(({ taskId, dueAt, task }) => ({ taskId, dueAt, task, setBy: 'user', state: { kind: 'waits' } })),
    )
    expect(await cli(engine, 'list')).toHaveLength(5)
  })

  it('are delivered once where due at the next start, and missed with one notice where it is late', async () => {
    await engine.kill()
    await restart(10 * minute + 10_000)
    await waitFor('the typed one', () => agent.submits().length === 2 && agent.idle())
    expect(agent.submits().at(-1)).toMatch(typedAlarm('type this'))
    await waitFor('its receipt', async () =>
      (await timeline(engine)).some((body) => body.type === 'alarm-delivered' && body.route === 'terminal'),
    )
    await turn(engine, 'alone', 'And now?')
    expect(userTexts(mock.turns().at(-1) ?? expect.fail()).slice(-2)).toEqual([
      'And now?',
      expect.stringMatching(toldAlarm('take this along')),
    ])
    await waitFor('the notice', async () =>
      (await timeline(engine)).some((body) => body.type === 'notified' && body.class === 'alarm-missed'),
    )
    await nothingMore(mock, engine)
    const told = await timeline(engine)
    expect(told.filter((body) => body.type === 'notified' && body.class === 'alarm-missed')).toHaveLength(1)
    expect(told.filter((body) => body.type === 'alarm-delivered')).toHaveLength(2)
    const { missed, waiting, history } = await engine.control.api.alarms.query()
    expect(missed.map(({ task, why }) => `${task}: ${why}`).toSorted()).toEqual([
      'too late to tell: expired',
      'too late to type: expired',
    ])
    expect(waiting).toBe(1)
    expect(history.map(({ task, end }) => `${task}: ${end.kind}`).toSorted()).toEqual([
      'take this along: delivered',
      'too late to tell: missed',
      'too late to type: missed',
      'type this: delivered',
    ])
    expect(agent.read().match(/scheduled task/g)).toHaveLength(1)
  })

  it('come no second time after the next kill -9, and what was missed waits for a word', async () => {
    await engine.kill()
    await restart(10 * minute + 20_000)
    await turn(engine, 'alone', 'Still there?')
    await nothingMore(mock, engine)
    expect(userTexts(mock.turns().at(-1) ?? expect.fail()).at(-1)).toBe('Still there?')
    expect(agent.read().match(/scheduled task/g)).toHaveLength(1)
    const told = await timeline(engine)
    expect(told.filter((body) => body.type === 'notified' && body.class === 'alarm-missed')).toHaveLength(1)
    expect(told.filter((body) => body.type === 'alarm-delivered')).toHaveLength(2)

    const late = (await engine.control.api.alarms.query()).missed.find(({ task }) => task === 'too late to type')
    await cli(engine, 'missed', '--deliver', late?.key ?? '')
    await waitFor('it after all', () => agent.submits().length === 3 && agent.idle())
    expect(agent.submits().at(-1)).toMatch(typedAlarm('too late to type'))
    await cli(engine, 'missed', '--dismiss-all')
    await waitFor('an empty list', async () => (await engine.control.api.alarms.query()).missedTotal === 0)
    expect(await cli(engine, 'list', 'alone')).toMatchObject([
      { task: 'take this along', state: { kind: 'delivered' }, deliveryCount: 1 },
      { task: 'wait', state: { kind: 'waits' } },
    ])
  })
})

describe('kill -9', () => {
  const sessions = ['a', 'b', 'c', 'd'] as const
  const random = seeded(Number(process.env.ONWARD_SEED ?? 20_261_122))
  const randomWrites = everything ? 200 : 60

  it(`during ${randomWrites} random writes: acknowledged ones outlive a restart, cancelled ones do not`, async () => {
    let engine = await startEngineForTest(config())
    try {
      for (const session of sessions) await turn(engine, session)
      // What is known of a session is written a little later, or at the end.
      await engine.stop()
      engine = await engine.restart()
      /** as acknowledged last; what nobody answered any more may be so or as it was before */
      const kept = new Map<string, { task: string; dueAt: number }>()
      const doubted = new Set<string>()
      const cancelled = new Set<string>()
      let writes = 0
      let acknowledged = 0
      while (writes < randomWrites) {
        const { api } = engine.control
        const wishes = Array.from({ length: 12 }, () => {
          const victim = random.chance(0.5) ? random.pick(['', ...kept.keys()]) : ''
          const dueAt = Date.now() + 30 * minute + random.int(1_000_000)
          const name = `write ${++writes}`
          if (victim === '' || doubted.has(victim))
            return async () => {
              const view = await api.addAlarm.mutate({ session: random.pick(sessions), dueAt, task: name })
              kept.set(view.taskId, { task: name, dueAt })
            }
          doubted.add(victim)
          if (random.chance(0.5))
            return async () => {
              await api.cancelAlarm.mutate(victim)
              kept.delete(victim)
              doubted.delete(victim)
              cancelled.add(victim)
            }
          return async () => {
            await api.editAlarm.mutate({ alarm: victim, dueAt, task: name })
            kept.set(victim, { task: name, dueAt })
            doubted.delete(victim)
          }
        })
        // As soon as so many are answered, in the midst of the others.
        const enough = acknowledged + random.int(wishes.length)
        await new Promise<void>((resolve) => {
          const answered = () => {
            if (acknowledged >= enough) resolve()
          }
          for (const wish of wishes)
            void wish().then(
              () => {
                acknowledged += 1
                answered()
              },
              () => undefined,
            )
          answered()
        })
        await engine.kill()
        engine = await engine.restart()
        const there = new Map((await engine.control.api.alarms.query()).alarms.map((alarm) => [alarm.taskId, alarm]))
        for (const [taskId, { task, dueAt }] of kept) {
          if (!doubted.has(taskId))
            expect(there.get(taskId), `${task} was acknowledged`).toMatchObject({
              task,
              dueAt,
              state: { kind: 'waits' },
            })
        }
        expect([...cancelled].filter((taskId) => there.has(taskId))).toEqual([])
        // What came of the rest is known now.
        kept.clear()
        doubted.clear()
        for (const [taskId, { task, dueAt }] of there) kept.set(taskId, { task, dueAt })
        expect(new Set([...there.values()].map(({ task }) => task)).size).toBe(there.size)
      }
      // How many are awaited is left to chance: a quarter of them is not always reached.
      expect(acknowledged).toBeGreaterThan(randomWrites / 10)
      expect(cancelled.size).toBeGreaterThan(0)
      expect(readdirSync(clockFolder(engine)).filter((name) => !/^([a-d]\.json|history\.jsonl)$/.test(name))).toEqual(
        [],
      )
      expect((await timeline(engine)).filter(({ type }) => type === 'store-problem')).toEqual([])
    } finally {
      await engine.stop()
    }
  })
})

describe('a file of alarms', () => {
  let engine: EngineForTest
  beforeAll(async () => {
    engine = await startEngineForTest(config())
    for (const session of ['harmed', 'newer', 'whole']) {
      await turn(engine, session)
      await engine.control.api.addAlarm.mutate({ session, dueAt: Date.now() + 30 * minute, task: `of ${session}` })
    }
  })
  afterAll(async () => {
    await engine?.dispose()
  })
  const fileOf = (session: string) => join(clockFolder(engine), `${session}.json`)
  const problems = async () => (await timeline(engine)).flatMap((body) => (body.type === 'store-problem' ? [body] : []))

  it('that is damaged is moved aside, said, and begun anew', async () => {
    await engine.stop()
    const bytes = readFileSync(fileOf('harmed')).subarray(0, 40)
    writeFileSync(fileOf('harmed'), bytes)
    engine = await engine.restart()
    const aside = readdirSync(clockFolder(engine)).filter((name) => name.startsWith('harmed.json.corrupt-'))
    expect(aside).toHaveLength(1)
    expect(readFileSync(join(clockFolder(engine), aside[0] ?? '')).equals(bytes)).toBe(true)
    expect(await problems()).toMatchObject([
      { file: 'clock/harmed.json', code: 'store-corrupt', message: expect.stringContaining(aside[0] ?? '?') },
    ])
    expect((await engine.control.api.alarms.query()).alarms.map(({ task }) => task)).toEqual(['of newer', 'of whole'])
    await cli(engine, 'add', 'harmed', 'in 20 min', 'anew')
    await engine.kill()
    engine = await engine.restart()
    expect(await engine.control.api.alarmsOf.query('harmed')).toMatchObject([{ task: 'anew' }])
  })

  it('of a newer Onward is left as it is, and what would write over it is refused', async () => {
    await engine.stop()
    const newer = '{"version":99,"state":{"from":"the future"}}'
    writeFileSync(fileOf('newer'), newer)
    engine = await engine.restart()
    const refusal =
      /was written by a newer Onward \(format 99, this one knows 1\)\. Update Onward, or move the file away to start anew\./
    expect((await problems()).filter(({ code }) => code === 'store-newer')).toMatchObject([
      { file: 'clock/newer.json', message: expect.stringMatching(refusal) },
    ])
    await expect(
      engine.control.api.addAlarm.mutate({ session: 'newer', dueAt: Date.now() + 30 * minute, task: 'no' }),
    ).rejects.toMatchObject({ data: { onwardCode: 'store-newer' }, message: expect.stringMatching(refusal) })
    const { code, err } = await onward([
      'alarm',
      'add',
      'newer',
      'in 20 min',
      'no',
      '--home',
      engine.home,
      '--port',
      String(engine.port),
    ])
    expect(code).toBe(4)
    expect(err).toMatch(refusal)
    await turn(engine, 'newer')
    expect(await engine.control.api.alarmsOf.query('newer')).toEqual([])
    expect(await engine.control.api.alarmsOf.query('whole')).toMatchObject([{ task: 'of whole' }])
    await engine.stop()
    expect(readFileSync(fileOf('newer'), 'utf8')).toBe(newer)
    engine = await engine.restart()
    expect(existsSync(fileOf('whole'))).toBe(true)
  })
})
