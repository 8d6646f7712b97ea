import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EventBody, ReviveRest } from '../../../../shared/events.ts'
import { OnwardError } from '../../base/errors.ts'
import type { NewTerminal, Terminal } from '../../sessions/binding/terminal.ts'
import type { TerminalsRegistry } from '../../sessions/binding/terminals-registry.ts'
import { machine, pty, registryOn } from '../../sessions/testing/machine.ts'
import type { AgentEnding } from '../../terminals/host/messages.ts'
import { createBench, type Bench } from '../../terminals/outbox/testing/bench.ts'
import { createRevive, type Revive } from './revive.ts'

const minute = 60_000
const text = 'Continue where you left off.'
const id = '5b1f2a34-0000-4000-8000-1234567890ab'

interface World {
  bench: Bench
  on: ReturnType<typeof machine>
  registry: TerminalsRegistry
  revive: Revive
  away: Set<string>
  armed: boolean
  cut: boolean
  started: [string, string | null][]
  fails: OnwardError | null
  asked: ReviveRest[]
  told: EventBody[]
}
let w: World

async function open(before?: Pick<World, 'on' | 'bench'>): Promise<void> {
  const on = before ? { ...before.on, store: before.on.newStore() } : machine()
  const bench = createBench({ targets: new Map(), clock: on.clock, ...(before && { disk: before.bench.disk }) })
  const { terminals: registry } = await registryOn(on)
  const away = new Set<string>()
  w = { bench, on, registry, away, armed: true, cut: true, started: [], fails: null, asked: [], told: [] } as never
  w.revive = createRevive({
    clock: on.clock,
    outboxes: bench.outboxes,
    registry,
    away,
    record: (_, body) => void w.told.push(body),
    wanted: () => true,
    isArmed: () => w.armed,
    wasCut: () => w.cut,
    text: () => text,
    async restart(terminalId, conversation) {
      w.started.push([terminalId, conversation])
      if (w.fails) throw w.fails
      return { pid: 7 }
    },
    onThere: () => undefined,
    ask: (_, why) => void w.asked.push(why),
    onChange: () => undefined,
    waitMs: 2_000,
  })
  await bench.start()
}
const hosted = async (more: Partial<NewTerminal> = {}): Promise<Terminal> => {
  const { terminal } = await w.registry.register(pty({ home: 'hosted', ...more }))
  w.registry.setSession(terminal.terminalId, id)
  return terminal
}
const killed = ({ terminalId }: Terminal, ending: Partial<AgentEnding> = {}, exitCode: number | null = null) => ({
  terminalId,
  exitCode,
  ending: { signal: exitCode === null ? 'SIGKILL' : null, asked: null, resumes: true, ...ending },
})
const after = (ms: number) => w.on.clock.advance(ms)
const queued = (terminal: Terminal) =>
  (w.bench.outboxes.peek(terminal.scope)?.list() ?? []).filter((e) => e.state === 'queued').map((e) => e.text)
const said = () =>
  w.told.flatMap((body) =>
    body.type === 'revived' ? [`again ${body.times}`] : body.type === 'revive-refused' ? [body.why] : [],
  )

beforeEach(() => open())
afterEach(() => {
  w.revive.dispose()
  w.bench.outboxes.dispose()
  w.registry.dispose()
})

describe('an agent that was killed in a terminal of Onward’s', () => {
  it('is started again once, after a moment, and told to go on with the turn that was cut', async () => {
    const terminal = await hosted()
    expect(w.revive.ended(killed(terminal))).toBe(true)
    expect([w.away.has(terminal.terminalId), w.started]).toEqual([true, []])
    // its host was connected again, and says it once more
    expect(w.revive.ended(killed(terminal))).toBe(true)
    await after(2_000)
    expect(w.started).toEqual([[terminal.terminalId, id]])
    expect(w.away.size).toBe(0)
    expect(queued(terminal)).toEqual([text])
    expect(w.registry.get(terminal.terminalId)).toMatchObject({ endedAt: null, agentPid: 7, sessionId: id })
    await after(10 * minute)
    expect([w.started.length, said()]).toEqual([1, ['again 1']])
  })

  it('is told nothing where its turn had come to its end', async () => {
    w.cut = false
    const terminal = await hosted()
    w.revive.ended(killed(terminal))
    await after(2_000)
    expect([w.started.length, queued(terminal)]).toEqual([1, []])
  })

  it('is told nothing more where a person goes on before that', async () => {
    const terminal = await hosted()
    w.revive.ended(killed(terminal))
    await after(2_000)
    w.revive.began(id)
    await after(0)
    expect(queued(terminal)).toEqual([])
  })

  it('is started three times within an hour, and then a person is asked', async () => {
    const terminal = await hosted()
    for (let n = 0; n < 3; n++) {
      expect(w.revive.ended(killed(terminal))).toBe(true)
      await after(5 * minute)
    }
    expect(w.revive.ended(killed(terminal))).toBe(false)
    expect(said()).toEqual(['again 1', 'again 2', 'again 3', 'too-often'])
    expect([w.started.length, w.asked]).toEqual([3, ['too-often']])
    expect(w.registry.get(terminal.terminalId)?.restsBecause).toBe('too-often')
  })

  it('rests where the goal was cleared meanwhile', async () => {
    const terminal = await hosted()
    w.revive.ended(killed(terminal))
    w.armed = false
    await after(2_000)
    expect([w.started, w.away.size]).toEqual([[], 0])
    expect(w.registry.get(terminal.terminalId)?.endedAt).not.toBeNull()
  })

  it('rests with a person’s word for it, and nobody is asked', async () => {
    const terminal = await hosted()
    expect(w.revive.ended(killed(terminal, { asked: 'person' }))).toBe(false)
    expect(w.revive.ended(killed(terminal, {}, 0))).toBe(false)
    expect([said(), w.asked, w.started]).toEqual([['quit', 'ended-well'], [], []])
  })

  it('is a person’s where it can’t be started', async () => {
    const terminal = await hosted()
    w.fails = new OnwardError('spawn-failed', 'No such program.')
    w.revive.ended(killed(terminal))
    await after(2_000)
    expect([said(), w.asked]).toEqual([['again 1', 'not-started'], ['not-started']])
    expect(w.registry.get(terminal.terminalId)?.endedAt).not.toBeNull()
  })

  it('is started by the next engine where this one ended in between', async () => {
    const terminal = await hosted()
    w.revive.ended(killed(terminal))
    await after(1_500)
    w.revive.dispose()
    w.registry.dispose()
    w.bench.outboxes.dispose()
    await open(w)
    // its host connects, and tells that the agent is gone
    expect(w.revive.ended(killed(terminal))).toBe(true)
    await after(2_000)
    expect(w.started).toEqual([[terminal.terminalId, id]])
    expect(queued(terminal)).toEqual([text])
    expect(w.registry.get(terminal.terminalId)?.startedAgain).toHaveLength(2)
  })

  it('waits for its host where that went in between', async () => {
    const terminal = await hosted()
    w.fails = new OnwardError('terminal-offline', 'gone')
    w.revive.ended(killed(terminal))
    await after(2_000)
    expect(w.registry.get(terminal.terminalId)?.endedAt).toBeNull()
    w.fails = null
    w.revive.ended(killed(terminal))
    await after(2_000)
    expect(w.started).toHaveLength(2)
  })

  it('with no conversation that its requests name is a person’s', async () => {
    const { terminal } = await w.registry.register(pty({ home: 'hosted', client: 'gemini' }))
    w.registry.setSession(terminal.terminalId, `${terminal.scope}#2`)
    w.registry.setConversation(terminal.terminalId, { n: 2, first: 'a', compressed: false })
    expect(w.revive.ended(killed(terminal))).toBe(false)
    expect(w.asked).toEqual(['no-conversation'])
    w.registry.setConversation(terminal.terminalId, { n: 1, first: 'a', compressed: false })
    expect(w.revive.ended(killed(terminal))).toBe(true)
    await after(2_000)
    expect(w.started).toEqual([[terminal.terminalId, null]])
  })
})

describe('an agent that was killed in a terminal of the person’s', () => {
  it('is started again by its launcher, which asks', async () => {
    const terminal = await hosted({ home: 'wrapped' })
    expect(w.revive.ended(killed(terminal))).toBe(true)
    expect(w.away.has(terminal.terminalId)).toBe(true)
    expect(w.revive.launcherAsks(killed(terminal, {}, 137))).toEqual({ conversation: id, waitMs: 2_000 })
    // the launcher is connected once more, with an agent that lives
    w.revive.over(terminal.terminalId)
    await after(2_000)
    expect([w.away.size, w.started, said()]).toEqual([0, [], ['again 1']])
    expect(queued(terminal)).toEqual([text])
  })

  it('rests where a person breaks the wait off', async () => {
    const terminal = await hosted({ home: 'pane' })
    expect(w.revive.launcherAsks(killed(terminal))).not.toBeNull()
    expect(w.revive.launcherAsks(killed(terminal, { asked: 'person' }))).toBeNull()
    expect([said(), w.asked]).toEqual([['again 1', 'quit'], []])
  })

  it('rests with a launcher of an earlier version', async () => {
    const terminal = await hosted({ home: 'wrapped' })
    const old = { terminalId: terminal.terminalId, exitCode: 137, ending: null }
    expect([w.revive.ended(old), w.revive.launcherAsks(old), said()]).toEqual([false, null, []])
  })
})
