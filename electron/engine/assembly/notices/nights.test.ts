/**
 * Nights of twenty sessions with a goal over two providers that fail as providers do: nothing is dead in the morning
 * without a named reason, nothing is revived that should rest, and no session storms a provider that is down.
 */
import { describe, expect, it } from 'vitest'
import { seeded, type Seeded } from '../../../../e2e/support/seeded.ts'
import type { RecoverEnd } from '../../../../shared/events.ts'
import { everything, seed, share } from '../../../../shared/testing/runs.ts'
import type { TurnFailure } from '../../../../shared/state.ts'
import type { Scope } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import { silentLog } from '../../base/log.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { createRecover, type Recover } from '../../servertools/recover/index.ts'
import { createResumeAtReset, type ResumeAtReset } from '../../servertools/resume-at-reset/index.ts'
import { createFailures, type Failures, type KeptFailures } from '../../sessions/failures.ts'
import { putFollowup } from '../../terminals/outbox/followups.ts'
import { createBench, type Bench } from '../../terminals/outbox/testing/bench.ts'
import type { FakeTarget } from '../../terminals/outbox/testing/fake-target.ts'
import { createReturnProbes, type ReturnProbes } from './return-probes.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const text = 'Continue where you left off.'
const nightMs = 8 * hour
/** at the end of a night all is well for long enough that every session comes back */
const morningMs = 40 * minute

/**
 * Outages as status pages report them: minutes mostly, hours at times, down or overloaded, refused at once or cut; and
 * limits of plans, which name their end.
 */
interface Outage {
  from: number
  until: number
  status: number
  /** of a hundred calls so many fail */
  failing: number
  isLimit: boolean
}

function outagesOf(random: Seeded, start: number): Outage[] {
  const outages: Outage[] = []
  let at = start + random.int(2 * hour)
  while (at < start + nightMs - morningMs - 10 * minute) {
    const long = random.chance(0.2) ? hour + random.int(2 * hour) : minute + random.int(40 * minute)
    const until = Math.min(at + long, start + nightMs - morningMs)
    const status = random.pick([529, 503, 500, 429, 502])
    const isLimit = status === 429 && random.chance(0.5)
    outages.push({ from: at, until, status, failing: isLimit || random.chance(0.7) ? 100 : 60, isLimit })
    at = until + 5 * minute + random.int(3 * hour)
  }
  return outages
}

interface Engine extends Bench {
  recover: Recover
  resume: ResumeAtReset
  failures: Failures
  probes: ReturnProbes
}

/** A person's deeds to a session in a night. */
const deeds = ['pauses', 'stops', 'closes', 'writes'] as const

function night(number: number) {
  const random = seeded(seed + number)
  const clock = virtualClock(Date.UTC(2026, 10, 27, 22))
  const start = clock.now()
  const providers = new Map(['one', 'two'].map((id) => [id, outagesOf(random, start)]))
  const failsNow = (provider: string): Outage | null => {
    const outage = providers.get(provider)?.find(({ from, until }) => clock.now() >= from && clock.now() < until)
    return outage && random.int(100) < outage.failing ? outage : null
  }
  const faults: string[] = []
  const fault = (what: string) => void faults.push(`${new Date(clock.now()).toISOString()} ${what}`)
  const resting = new Map<string, (typeof deeds)[number]>()
  const ended = new Map<string, RecoverEnd>()
  const kept = new Map<string, TurnFailure>()
  const keptFailures: KeptFailures = {
    get: (id) => kept.get(id) ?? null,
    set: (id, failure) => void (failure === null ? kept.delete(id) : kept.set(id, failure)),
    list: () => [...kept].map(([sessionId, failure]) => ({ sessionId, terminalId: `tmux:${sessionId}`, failure })),
  }
  let calls = 0
  let typed = 0

  async function open(before?: Bench): Promise<Engine> {
    const bench = createBench({
      clock,
      targets: before?.targets ?? new Map(),
      ...(before && { disk: before.disk, random: before.deps.random }),
    })
    const asking = new Map<string, number>()
    const probes = createReturnProbes({
      clock,
      log: silentLog,
      async ask(provider) {
        const more = (asking.get(provider) ?? 0) + 1
        if (more > 1) fault(`${more} probes of ${provider} at a time`)
        asking.set(provider, more)
        await new Promise<void>((done) => void clock.after(second, done))
        asking.set(provider, 0)
        return failsNow(provider) === null
      },
      restsUntil: () => null,
      answered: (target) => recover.heard(target, true),
    })
    const recover = createRecover({
      store: bench.store,
      outboxes: bench.outboxes,
      clock,
      random: bench.deps.random,
      record({ sessionId }, body) {
        if (sessionId && body.type === 'recover-ended') ended.set(sessionId, body.why)
        if (sessionId && body.type === 'recover-waits') ended.delete(sessionId)
      },
      settings: () => ({ when: 'armed', text, mostPerOutage: 20, mostPerDay: 60 }),
      scopeOf: (id) => (resting.get(id) === 'closes' ? 'terminal-gone' : `tmux:${id}`),
      isArmed: () => true,
      paused: (id) => resting.get(id) === 'pauses',
      compactOf: () => null,
      canAsk: () => true,
      ask: (targets) => probes.want('recover', targets),
      onChange: () => undefined,
    })
    const resume = createResumeAtReset({
      store: bench.store,
      outboxes: bench.outboxes,
      clock,
      random: bench.deps.random,
      record: () => undefined,
      notify: () => undefined,
      language: () => 'en',
      scopeOf: (id) => (resting.get(id) === 'closes' ? 'terminal-gone' : `tmux:${id}`),
      onChange: () => undefined,
    })
    resume.alsoWhere((id) => !resting.has(id) && recover.of(id).on)
    const failures = createFailures({
      clock,
      log: silentLog,
      findTarget: (id) => bench.targets.get(id) ?? null,
      kept: keptFailures,
      onChange: () => undefined,
      onGaveUp: (id, failure, stopped) => void recover.gaveUp(id, failure, stopped),
    })
    await bench.start()
    await recover.start()
    await resume.start()
    failures.start()
    return { ...bench, recover, resume, failures, probes }
  }
  let engine: Engine
  const sessions: Agent[] = []

  return {
    clock,
    async passes() {
      engine = await open()
      for (let n = 0; n < 20; n++) sessions.push(agent(`s${n}`, n % 2 ? 'one' : 'two'))
      for (const one of sessions) clock.after(random.int(10 * minute), () => one.says('Begin.'))
      for (const one of sessions)
        if (random.chance(0.2)) {
          const deed = random.pick(deeds)
          clock.after(hour + random.int(5 * hour), () => one.has(deed))
        }
      for (const [provider, outages] of providers) for (const outage of outages) watchReturn(provider, outage)
      if (random.chance(0.5)) {
        await clock.advance(hour + random.int(6 * hour))
        await restart()
      }
      await clock.advance(start + nightMs - clock.now())
      for (const one of sessions) {
        const why = resting.get(one.id) ?? ended.get(one.id)
        const works = clock.now() - one.answeredAt() < 20 * minute
        if (!works && why === undefined) fault(`${one.id} is dead without a reason: ${JSON.stringify(one.shows())}`)
      }
      engine.recover.dispose()
      engine.resume.dispose()
      engine.outboxes.dispose()
      engine.failures.dispose()
      engine.probes.dispose()
      return { faults, calls, typed, outages: [...providers.values()].flat().length }
    },
  }

  async function restart(): Promise<void> {
    const before = engine
    before.store.crash()
    for (const part of [before.recover, before.resume, before.outboxes, before.failures, before.probes]) part.dispose()
    engine = await open(before)
    for (const one of sessions) one.isCut()
  }

  /** Within a minute of the return each session is on again that waited for it. */
  function watchReturn(provider: string, { until }: Outage): void {
    clock.after(until - start, () => {
      const waiting = sessions.filter(
        ({ id, at }) =>
          at === provider && (engine.recover.of(id).waits ?? engine.resume.limitOf(id)?.resume) && !resting.has(id),
      )
      const since = clock.now()
      clock.after(minute, () => {
        for (const one of waiting)
          if (!resting.has(one.id) && one.beganAt() < since) fault(`${one.id} is not on again within a minute`)
      })
    })
  }

  interface Agent {
    id: string
    at: string
    says(said: string): void
    has(deed: (typeof deeds)[number]): void
    /** the engine went in the middle of its request */
    isCut(): void
    answeredAt(): number
    beganAt(): number
    shows(): unknown
  }

  /** As agents do: some tries of their own, further and further apart, then it waits for its person. */
  function agent(id: string, provider: string): Agent {
    const scope: Scope = `tmux:${id}`
    const target: FakeTarget = engine.target(scope)
    const mostTries = random.pick([1, 4, 10])
    let run = 0
    let part = 0
    let isOpen: string | null = null
    let state: 'idle' | 'works' | 'retries' = 'idle'
    let last = 'Begin.'
    let [answered, began] = [start, start]
    target.answer = (order) => {
      typed++
      if (state !== 'idle') fault(`${id} was typed to while it ${state}`)
      if (resting.has(id)) fault(`${id} was typed to though its person ${resting.get(id) ?? ''}`)
      clock.after(500, () => says(order.text))
      return { kind: 'submitted', extraEnter: false }
    }
    const show = (next: typeof state) => {
      state = next
      target.reading = state === 'idle' ? { kind: 'ready', bracketedPaste: true } : busy
      target.change()
    }
    const idle = (more: object = {}) => {
      show('idle')
      target.reading = { kind: 'ready', bracketedPaste: true, ...more }
    }
    const says = (said: string) => {
      last = said
      began = clock.now()
      void ask(0, true)
    }
    const later = (ms: number, then: () => void) => {
      const mine = run
      clock.after(ms, () => {
        if (mine === run) then()
      })
    }
    const end = async (): Promise<void> => {
      if (isOpen === null) return
      const requestId = isOpen
      isOpen = null
      const outbox = await engine.outboxes.of(scope)
      outbox.requestEnded(requestId)
    }
    async function ask(tries: number, isNew: boolean): Promise<void> {
      const mine = ++run
      show('works')
      // a person's words that came between Enter and the first request: it asks once, with both
      await end()
      const requestId = `r${++calls}`
      isOpen = requestId
      engine.recover.began(id)
      engine.failures.began(id)
      const outbox = await engine.outboxes.of(scope)
      await outbox.requestStarted({
        requestId,
        sessionId: id,
        kind: 'turn',
        lastUserTexts: [last],
        hasNewMainTurn: isNew,
      })
      if (mine !== run) return
      const outage = failsNow(provider)
      if (outage?.isLimit) return later(second, () => void meetsLimit(outage))
      if (outage) return later(second + random.int(5 * second), () => void fails(outage.status, tries))
      later(5 * minute + random.int(10 * minute), () => {
        const cut = failsNow(provider)
        if (cut && !cut.isLimit) void fails(200, tries)
        else void ends()
      })
    }
    async function ends(): Promise<void> {
      await end()
      engine.failures.over(id)
      engine.recover.wentOn(id)
      engine.resume.wentOn(id)
      engine.recover.heard(`${provider}.m`, true)
      answered = clock.now()
      idle()
      if (resting.has(id)) return
      // its goal goes on
      const next = {
        sessionId: id,
        group: `${id}-${++part}`,
        text: `Go on with ${part}.`,
        source: 'stopMessage',
      } as const
      await putFollowup(engine.outboxes, scope, next).catch((error: unknown) => {
        if (!OnwardError.isInstance(error) || error.code !== 'entry-pending') throw error
      })
    }
    async function meetsLimit({ from: since, until: lifts }: Outage): Promise<void> {
      await end()
      engine.failures.over(id)
      engine.resume.limited(id, { provider, since, lifts })
      idle()
    }
    async function fails(status: number, tries: number): Promise<void> {
      await end()
      const tried = [{ provider, model: 'm', keyAlias: null, status, code: String(status) }]
      engine.failures.failed(id, scope, { provider, status, message: 'No.', tried, turn: last })
      if (tries + 1 < mostTries) {
        show('retries')
        return later(Math.min(30, 2 ** tries) * second, () => void ask(tries + 1, false))
      }
      idle()
    }
    return {
      id,
      at: provider,
      says,
      has(deed) {
        if (deed === 'writes') return void (state === 'idle' && says('My own words.'))
        resting.set(id, deed)
        if (deed === 'closes') engine.targets.set(scope, null)
        if (deed !== 'stops') return
        run++
        void end()
        idle({ stopped: true })
        target.reading = { kind: 'hold', reason: { code: 'draft' } }
      },
      isCut() {
        if (isOpen === null) return
        isOpen = null
        show('retries')
        run++
        later(2 * second, () => void ask(0, false))
      },
      answeredAt: () => answered,
      beganAt: () => began,
      shows: () => ({
        state,
        kept: kept.get(id) ?? null,
        recover: engine.recover.of(id),
        limit: engine.resume.limitOf(id),
      }),
    }
  }
}
const busy = { kind: 'hold', reason: { code: 'agent-busy' } } as const

describe('twenty sessions over a night', () => {
  it.each(Array.from({ length: everything ? 30 : share(30) }, (_, n) => n))('no. %i', async (n) => {
    const one = night(n)
    const { faults, typed, outages } = await one.passes()
    expect(faults, `seed ${seed}`).toEqual([])
    expect(typed).toBeGreaterThan(100)
    expect(outages).toBeGreaterThan(0)
  })
})
