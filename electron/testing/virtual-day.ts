/** A day of an engine and its agents on a virtual clock: real disk and network, an upstream that answers at once. */
import { Agent, request as httpRequest } from 'node:http'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { dayClock } from './day-clock.ts'
import { silentLog } from '../engine/base/log.ts'
import { systemRandom } from '../engine/base/system-random.ts'
import { startEngine } from '../engine/engine.ts'
import type { Transport } from '../engine/providers/types.ts'
import { diskFiles } from '../engine/store/disk-files.ts'
import { settled } from '../../shared/testing/settled.ts'

const minute = 60_000
export const tokens = { input: 1_000, output: 50 }
/** of so many sessions one has an alarm every ten minutes, and another one a daily one */
const each = 10
export const oftenMs = 10 * minute

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

interface Turn {
  at: number
  session: string
}

/** Agents work by day, with a pause for thinking between two turns; seeded, so that every run has the same day. */
function turnsOf({ sessions, turnsEach, hours }: DayPlan): Turn[] {
  let seed = 7
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
  const day = hours * 60 * minute
  return Array.from({ length: sessions }, (_, i) => {
    let at = day * (1 / 3 + random() / 3)
    return Array.from({ length: turnsEach }, () => {
      at = Math.min(at + minute * (0.5 + 4 * random()), day - minute)
      return { at, session: sessionOf(i) }
    })
  })
    .flat()
    .concat(wokenBy(sessions, day))
    .sort((a, b) => a.at - b.at)
}

/** An agent that an alarm woke makes a turn, which takes it. */
const wokenBy = (sessions: number, day: number): Turn[] =>
  Array.from({ length: sessions }, (_, i) => i)
    .filter((i) => i % each === 0)
    .flatMap((i) =>
      Array.from({ length: Math.floor(day / oftenMs) }, (_, n) => ({
        at: (n + 1) * oftenMs + minute / 2,
        session: sessionOf(i),
      })),
    )

const sessionOf = (i: number): string => `day-${i}`

const answer = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'mock-model',
    choices: [{ index: 0, message: { role: 'assistant', content: 'It is done.' }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: tokens.input,
      completion_tokens: tokens.output,
      total_tokens: tokens.input + tokens.output,
    },
  }),
)

function answersAtOnce(): Transport & { readonly calls: number } {
  let calls = 0
  return {
    get calls() {
      return calls
    },
    send(_request, handler) {
      calls++
      setImmediate(() => {
        handler.onHead(200, { 'content-type': 'application/json' })
        handler.onData(answer)
        handler.onEnd()
      })
      return { abort() {}, resume() {} }
    },
    async dispose() {},
  }
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

function ask(port: number, agent: Agent, session: string): Promise<void> {
  const body = JSON.stringify({
    model: 'mock-model',
    messages: [
      { role: 'system', content: 'You write programs.' },
      { role: 'user', content: 'Go on with the next step.' },
    ],
  })
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer k', 'x-session-id': session }
    const request = httpRequest(
      { port, host: '127.0.0.1', agent, method: 'POST', path: '/v1/chat/completions', headers },
      (response) => {
        response.resume()
        response.on('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`status ${response.statusCode}`)),
        )
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(body)
  })
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
