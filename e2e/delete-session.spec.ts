/** A session goes for good while the terminal it was in lives on, also when its engine is killed in the middle. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SessionView } from '../shared/state.ts'
import { routedTo } from './support/entries.ts'
import { everything, seed } from '../shared/testing/runs.ts'
import { unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { endTerminalHosts } from './support/hosted-agent-driver.ts'
import { say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { atRest, nothingMore } from './support/nothing-more.ts'
import { seeded } from './support/seeded.ts'
import { startTmux, tmuxMissing, type TestTmux } from './support/tmux.ts'
import { startTurnAgent, type TurnAgent } from './support/turn-agents.ts'

/** stands in every text of the session that goes, and nowhere else */
const word = 'UNICORN'
/** each moment once, at least */
const kills = everything ? 40 : 4

describe('a session in a living terminal that is deleted', unless(tmuxMissing), () => {
  let mock: MockUpstream
  let engine: EngineProcess
  let tmux: TestTmux
  let agent: TurnAgent
  beforeEach(async () => {
    mock = await startMockUpstream()
    mock.otherwise = say('This part is done now.')
    engine = await startEngine({
      config: {
        stopMessage: { settleMs: 100 },
        ...routedTo(mock),
      },
    })
    tmux = startTmux()
    agent = await startTurnAgent({ home: 'hosted', engine, tmux, name: 'goes' })
  })
  afterEach(async () => {
    agent.end()
    tmux.dispose()
    await engine.stop()
    endTerminalHosts(engine.home)
    await mock.dispose()
    removeHomes()
  })

  const api = () => engine.control.api
  const known = () => api().sessions.query()
  const ofAgent = async (): Promise<SessionView | null> =>
    (await known()).find(({ id }) => id.includes(agent.session)) ?? null
  const terminal = async () => (await api().terminals.query()).find(({ id }) => id === agent.terminalId)
  const idle = () => waitFor('the agent to be idle', () => agent.idle())

  /** Through the queue: behind a person's own keys whatever is typed next is held for two seconds. */
  const queue = async (text: string) => {
    const before = agent.submits().length
    await api().say.mutate({ session: agent.terminalId, text })
    await waitFor('the message', () => agent.submits().length > before)
  }
  /** all that is kept of a session in a terminal, a goal that is armed among it */
  const live = async (begin: () => Promise<void>): Promise<SessionView> => {
    await begin()
    await idle()
    const { id } = await waitFor('its session', ofAgent)
    await engine.control.session((s) => s.id === id && s.shape !== 'working')
    await api().setCapture.mutate({ session: id, on: true })
    await api().renameSession.mutate({ session: id, name: `named ${word}` })
    await api().setStopMessage.mutate({ session: id, text: `go on with ${word}`, rounds: 1, now: true })
    await engine.control.session((s) => s.id === id && s.say.code === 'done')
    await idle()
    await api().setStopMessage.mutate({ session: id, text: `never say ${word}`, rounds: 5 })
    await api().addAlarm.mutate({ session: id, dueAt: Date.now() + 3_600_000, task: `look after ${word}` })
    return engine.control.session((s) => s.id === id && s.stopMessage?.status.kind === 'armed' && s.queue.length === 0)
  }
  /** paths below the home that hold the word, by name or inside */
  const traces = (): string[] =>
    readdirSync(engine.home, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const path = join(entry.parentPath, entry.name)
      const holds = entry.name.includes(word) || (entry.isFile() && textOf(path).includes(word))
      return holds ? [path.slice(engine.home.length + 1)] : []
    })

  it('takes its armed goal along: nothing is typed, the terminal goes on, and no restart brings it back', async () => {
    const { id } = await live(() => agent.say(engine, `look at ${word}`))
    const before = agent.submits()
    const read = agent.read()
    await api().deleteSession.mutate(id)
    expect(await ofAgent()).toBeNull()
    await atRest(engine)
    expect(agent.read()).toBe(read)
    expect(traces()).toEqual([])
    expect(await terminal()).toMatchObject({ alive: true, sessionId: null })

    // Its person goes on in it. The agent still names the conversation by its old id.
    await agent.say(engine, 'something else')
    await idle()
    const anew = await engine.control.session((s) => s.id === id && s.turns === 1 && s.shape !== 'working')
    expect(anew).toMatchObject({ stopMessage: null, queue: [], terminalId: agent.terminalId })
    expect(anew.name).not.toContain(word)
    await nothingMore(mock, engine)
    expect(agent.submits()).toEqual([...before, 'something else'])
    expect((await api().alarms.query()).alarms).toEqual([])

    // What is said to it there arrives.
    await api().say.mutate({ session: id, text: 'one more' })
    await waitFor('the text', () => agent.submits().at(-1) === 'one more')
    await idle()
    await engine.control.session((s) => s.id === id && s.turns === 2 && s.queue.length === 0)

    await api().deleteSession.mutate(id)
    await engine.stop()
    engine = await engine.restart()
    await waitFor('its terminal', async () => (await terminal())?.alive)
    expect(await ofAgent()).toBeNull()
  })

  /** what stands on the disk of a deletion that is under way, in the order in which it goes */
  const state = (path: string) => join(engine.home, 'sessions', `127.0.0.1_${engine.port}`, path)
  const moments = ['asked', 'written down', 'some of it gone', 'any'] as const
  const reached = (moment: (typeof moments)[number], traced: number): boolean => {
    if (moment === 'asked') return true
    if (moment === 'written down') return existsSync(state('deletions.json'))
    return existsSync(state('deletions.json')) && traces().length < traced
  }

  it(
    `is whole or gone when the engine is killed in the middle, ${kills} times`,
    async () => {
      const random = seeded(seed)
      const outcomes = { whole: 0, gone: 0 }
      for (let n = 0; n < kills; n++) {
        const before = await live(() => queue(`look at ${word}`))
        const events = (await api().timeline.query({ session: before.id, limit: 500 })).map(({ id }) => id)
        // Events are written a moment later; which of them a kill takes is not what is looked at here.
        await waitFor('the events on the disk', () => {
          const written = readFileSync(state('timeline.jsonl'), 'utf8')
          return events.every((id) => written.includes(id))
        })
        const alarms = (await api().alarmsOf.query(before.id)).map(({ taskId }) => taskId)
        const submits = agent.submits().length
        const traced = traces().length
        const moment = moments[n] ?? random.pick(moments)
        const asked = api().deleteSession.mutate(before.id)
        asked.catch(() => undefined)
        if (moment === 'any') await new Promise((resolve) => setTimeout(resolve, random.int(60)))
        else await reachedOrOver(() => reached(moment, traced), asked)
        await engine.kill()
        engine = await engine.restart()
        // What an earlier run began is finished first.
        await waitFor('what was begun to be over', () => !existsSync(state('deletions.json')))
        await atRest(engine)
        await waitFor('its terminal', async () => (await terminal())?.alive)

        const after = await ofAgent()
        if (after === null) {
          outcomes.gone++
          expect(traces(), `kill ${n}, ${moment}`).toEqual([])
          expect((await api().alarms.query()).alarms).toEqual([])
          expect(await terminal()).toMatchObject({ sessionId: null })
        } else {
          outcomes.whole++
          expect(after, `kill ${n}, ${moment}`).toMatchObject({
            name: before.name,
            turns: before.turns,
            capture: true,
            stopMessage: { text: `never say ${word}`, used: 0, max: 5, status: { kind: 'armed' } },
          })
          const kept = (await api().timeline.query({ session: before.id, limit: 500 })).map(({ id }) => id)
          expect(events.filter((id) => !kept.includes(id))).toEqual([])
          expect((await api().alarmsOf.query(before.id)).map(({ taskId }) => taskId)).toEqual(alarms)
          await api().deleteSession.mutate(before.id)
        }
        expect(agent.submits()).toHaveLength(submits)
        expect(agent.alive()).toBe(true)
      }
      console.log(outcomes)
      expect(outcomes.gone).toBeGreaterThan(0)
    },
    120_000 + kills * 20_000,
  )
})

/** The deletion may be over before anybody sees it half done. */
async function reachedOrOver(look: () => boolean, deletion: Promise<unknown>): Promise<void> {
  let over = false
  void deletion.then(
    () => (over = true),
    () => (over = true),
  )
  while (!over && !look()) await new Promise((resolve) => setImmediate(resolve))
}

/** Of one that goes in this moment: nothing. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}
