/** A day of an engine and its agents on a virtual clock: real disk and network, an upstream that answers at once. */
import { Agent } from 'node:http'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { dayClock } from './day-clock.ts'
import { answersAtOnce, ask } from './day-network.ts'
import { each, minute, oftenMs, sessionOf, turnsOf } from './day-turns.ts'
import { silentLog } from '../engine/base/log.ts'
import { systemRandom } from '../engine/base/ids.ts'
import { startEngine } from '../engine/engine.ts'
import { diskFiles } from '../engine/store/disk-files.ts'
import { settled } from '../../shared/testing/settled.ts'

export interface DayPlan {
  home: string
  sessions: number
  turnsEach: number
  /** of the day, UTC */
  from: number
  hours: number
  /** asked every hour of the day, when nothing is under way */
  hourly?(facts: HourFacts): void
}

export interface HourFacts {
  hour: number
  files: number
  bytes: number
  timers: number
  sessions: number
}

export interface DayFacts {
  /** turns that clients made, and requests that the upstream had */
  turns: number
  upstream: number
  /** what the day's sums say */
  summed: { requests: number; input: number; output: number }
  sessionsKnown: number
  /** how often each alarm rang, by session */
  rang: ReadonlyMap<string, number>
  often: readonly string[]
  daily: readonly string[]
  problems: readonly string[]
}

const config = {
  providers: {
    mock: {
      type: 'openai-chat',
      baseUrl: 'http://mock.test/v1',
      keys: [{ alias: 'main', value: 'k' }],
      models: { 'mock-model': {} },
    },
  },
  routes: { default: ['mock.mock-model'] },
  // An answer isn't held for an alarm: the clock stands still while a turn is made. A turn takes no alarm before its
  // time, so that each of them rings.
  clock: { holdMaxMs: 0, dueWindowMs: 0 },
  notifications: { quietHours: { on: true, from: '22:00', to: '07:30' } },
}

export async function virtualDay(plan: DayPlan): Promise<DayFacts> {
  const { home, hours } = plan
  const files = diskFiles()
  await files.writeAtomic(join(home, 'config.json'), JSON.stringify(config))
  const clock = dayClock(Date.UTC(2026, 10, 21, plan.from))
  const transport = answersAtOnce()
  const engine = await startEngine(
    {
      home,
      env: { ROUTECODEX_SESSION_DIR: join(home, 'state'), ROUTECODEX_CLOCK_NTP: 'off' },
      version: '0',
      clock,
      random: systemRandom(),
      log: silentLog,
      files,
      transport,
      notify: async () => ({ kind: 'shown' }),
      startPtyHost() {},
      findProgram: async () => null,
    },
    { port: 0, onHandOver() {} },
  )
  const over = new AbortController()
  const rang = new Map<string, number>()
  const problems: string[] = []
  const sessionOfAlarm = new Map<string, string>()
  const following = (async () => {
    for await (const update of engine.api.follow(over.signal)) {
      if (update.type !== 'event') continue
      const { body } = update.event
      if (body.type === 'store-problem' || body.type === 'engine-problem') problems.push(body.message)
      if (body.type !== 'alarm-rang') continue
      for (const id of body.taskIds) {
        const session = sessionOfAlarm.get(id) ?? '?'
        rang.set(session, (rang.get(session) ?? 0) + 1)
      }
    }
  })()
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const turn = (session: string) => ask(engine.address.port, agent, session)
  const all = Array.from({ length: plan.sessions }, (_, i) => sessionOf(i))
  await Promise.all(all.map(turn))
  const often = all.filter((_, i) => i % each === 0)
  const daily = all.filter((_, i) => i % each === 1)
  const from = clock.now()
  const untilMs = from + 7 * 24 * 60 * minute
  for (const session of often) {
    const rule = { kind: 'interval', ms: oftenMs } as const
    const repeat = { rule, zone: 'UTC', times: 1_000, untilMs }
    const set = await engine.api.addAlarm({ session, dueAt: from + oftenMs, task: 'Look at the build.', repeat })
    sessionOfAlarm.set(set.taskId, session)
  }
  for (const session of daily) {
    const rule = { kind: 'days' as const, weekdays: [0, 1, 2, 3, 4, 5, 6], hour: 9, minute: 30 }
    const repeat = { rule, zone: 'UTC', times: 7, untilMs }
    const dueAt = Date.UTC(2026, 10, 21, 9, 30)
    const set = await engine.api.addAlarm({ session, dueAt, task: 'Say how far it is.', repeat })
    sessionOfAlarm.set(set.taskId, session)
  }
  const turns = turnsOf(plan)
  let next = 0
  for (let minutes = 1; minutes <= hours * 60; minutes++) {
    await clock.advance(from + minutes * minute - clock.now())
    const now: Promise<void>[] = []
    for (let one = turns[next]; one && one.at < minutes * minute; one = turns[++next]) now.push(turn(one.session))
    await Promise.all(now)
    if (minutes % 60 === 0) {
      await settled()
      plan.hourly?.({
        hour: minutes / 60,
        ...sizeOf(home),
        timers: clock.pending(),
        sessions: (await engine.api.sessions()).length,
      })
    }
  }
  // the turns that the last alarm woke
  for (const { session } of turns.slice(next)) await turn(session)
  await settled()
  const { cells } = await engine.api.costs(2)
  const sum = (of: (cell: (typeof cells)[number]) => number) => cells.reduce((all, cell) => all + of(cell), 0)
  const facts: DayFacts = {
    turns: plan.sessions + turns.length,
    upstream: transport.calls,
    summed: { requests: sum((c) => c.requests), input: sum((c) => c.input), output: sum((c) => c.output) },
    sessionsKnown: (await engine.api.sessions()).length,
    rang,
    often,
    daily,
    problems,
  }
  agent.destroy()
  over.abort()
  await following
  await engine.dispose()
  return facts
}

function sizeOf(home: string): { files: number; bytes: number } {
  let [files, bytes] = [0, 0]
  for (const name of readdirSync(home, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue
    files++
    bytes += statSync(join(name.parentPath, name.name)).size
  }
  return { files, bytes }
}
