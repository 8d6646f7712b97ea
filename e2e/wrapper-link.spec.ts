import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routedTo } from './support/entries.ts'
import { removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { startLinkProxy, type LinkMessage, type LinkProxy, type Verdict } from './support/link-proxy.ts'
import { say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { outboxFiles, type OutboxFiles } from './support/outbox-files.ts'
import { createTranscript } from './support/transcript.ts'
import { seeded } from './support/seeded.ts'
import { startTmux, tmuxMissing, type TestTmux } from './support/tmux.ts'
import { startTurnAgent, type TurnAgent } from './support/turn-agents.ts'
import { everything } from '../shared/testing/runs.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { unless } from '../shared/testing/unless.ts'

const seed = Number(process.env.ONWARD_SEED ?? 20_260_801)

/** Every kind of message that a followup makes the engine and the wrapper exchange, hello and welcome included. */
const messages: readonly LinkMessage[] = [
  { from: 'host', type: 'hello' },
  { from: 'engine', type: 'welcome' },
  { from: 'engine', type: 'listen' },
  { from: 'engine', type: 'read' },
  { from: 'host', type: 'reading' },
  { from: 'engine', type: 'type' },
  { from: 'host', type: 'changed' },
  { from: 'engine', type: 'arrived' },
  { from: 'host', type: 'outcome' },
  { from: 'engine', type: 'heard' },
]
const nameOf = ({ from, type }: LinkMessage) => `${type} of the ${from}`

describe('the connection of the PTY wrapper', unless(tmuxMissing), () => {
  let mock: MockUpstream
  let engine: EngineProcess
  let tmux: TestTmux
  let proxy: LinkProxy
  let agent: TurnAgent
  let files: OutboxFiles
  const transcript = createTranscript()
  const random = seeded(seed)
  let n = 0

  beforeAll(async () => {
    mock = await startMockUpstream()
    mock.otherwise = say('This part is done now.', { pauseMs: 10, piece: 4 })
    engine = await startEngine({
      config: {
        stopMessage: { settleMs: 100 },
        ...routedTo(mock, 'mock'),
      },
    })
    tmux = startTmux()
    proxy = await startLinkProxy(engine)
    files = outboxFiles(engine.home, engine.port)
    agent = await startTurnAgent({
      home: 'wrapped',
      engine,
      tmux,
      name: 'link',
      thinkMs: 150,
      launchHome: proxy.home,
      launchPort: proxy.port,
    })
    await agent.say(engine, 'begin')
    await waitFor('the first answer', () => agent.idle())
  })
  afterAll(async () => {
    agent?.end()
    tmux?.dispose()
    await proxy?.dispose()
    await engine?.stop()
    await mock?.dispose()
    removeHomes()
  })

  /** One followup from its order to its end, with something happening to the connection in between. */
  async function followup(what: () => Promise<void> | void, words = ''): Promise<string> {
    const text = `followup ${++n} over the link${words}`
    const agentPid = agent.pid
    await Promise.all([transcript.say(engine, agent, text), what()])
    const state = () => files.entry(agent.scope, (e) => e.text === text)?.phase.state
    await waitFor(`the end of “${text}”`, () => {
      const now = state()
      if (!agent.idle() || agent.composer() !== '' || !proxy.connected) return false
      // Unknown is an end only for what the agent has not got: its request proves the rest.
      return now === 'confirmed' || now === 'failed' || (now === 'unknown' && !agent.submits().includes(text))
    }).catch((error: unknown) => {
      throw new Error(
        `${String(error)}: ${state()}\n${JSON.stringify(agent.notes().slice(-6))}` +
          `\n${JSON.stringify(engine.control.events.slice(-8), null, 1)}`,
      )
    })
    transcript.check(files)
    expect(agent.pid).toBe(agentPid)
    expect(agent.alive()).toBe(true)
    const ended = state()
    expect(agent.submits().includes(text), `${ended}, and submitted`).toBe(ended === 'confirmed')
    return ended ?? 'none'
  }
  /** Lets the wrapper connect, with nobody listening for a while before. */
  async function awayFor(ms: number): Promise<void> {
    proxy.blocked = true
    await new Promise((resolve) => setTimeout(resolve, ms))
    proxy.blocked = false
  }
  /** Cuts at the next such message and keeps everybody out for a while. */
  function cutAt(wanted: LinkMessage, how: Exclude<Verdict, 'pass'>): { readonly happened: boolean } {
    const cut = { happened: false }
    proxy.judge = (message) => {
      if (message.from !== wanted.from || message.type !== wanted.type) return 'pass'
      proxy.judge = () => 'pass'
      cut.happened = true
      proxy.blocked = true
      setTimeout(() => {
        proxy.blocked = false
      }, random.int(600))
      return how
    }
    return cut
  }

  it('can be cut at every message, before and behind it', async () => {
    const ends: string[] = []
    for (const message of messages)
      for (const how of ['cut-before', 'cut-after'] as const) {
        const before = proxy.connections
        const cut = cutAt(message, how)
        // What is only said at the beginning of a connection needs one to begin.
        if (message.type === 'hello' || message.type === 'welcome') proxy.cut()
        // `arrived` is for a request that comes while the wrapper still looks whether the text left the composer.
        const words = message.type === 'arrived' ? ', drawn late' : ''
        for (let tries = 0; !cut.happened; tries++) {
          expect(tries, `${nameOf(message)} is said at all`).toBeLessThan(15)
          // Where nothing holds a followup nobody has to listen for a change.
          if (message.type === 'listen' || message.type === 'changed') await agent.say(engine, 'first this')
          ends.push(`${nameOf(message)}, ${how}: ${await followup(() => undefined, words)}`)
        }
        await waitFor('the wrapper to come back', () => proxy.connected)
        expect(proxy.connections, `${nameOf(message)}: connected again`).toBeGreaterThan(before)
      }
    console.log(ends.join('\n'))
    expect(ends.filter((end) => end.endsWith('confirmed')).length).toBeGreaterThan(messages.length)
  })

  it('can be cut at any moment', async () => {
    for (let i = 0; i < (everything ? 16 : 6); i++) {
      await followup(async () => {
        await new Promise((resolve) => setTimeout(resolve, random.int(900)))
        proxy.cut()
        await awayFor(random.int(700))
      })
    }
  })

  it('stands an engine that sleeps, at any moment and for as long as it likes', async () => {
    for (let i = 0; i < (everything ? 8 : 3); i++) {
      await followup(async () => {
        await new Promise((resolve) => setTimeout(resolve, random.int(700)))
        process.kill(engine.pid, 'SIGSTOP')
        await new Promise((resolve) => setTimeout(resolve, i === 0 ? 7_000 : random.int(2_500)))
        process.kill(engine.pid, 'SIGCONT')
      })
    }
    expect(existsSync(`/proc/${engine.pid}`)).toBe(true)
  })

  it('is not needed by the person at the agent', async () => {
    proxy.cut()
    proxy.blocked = true
    await agent.say(engine, 'a person writes on without it')
    await waitFor('the answer', () => agent.idle())
    expect(proxy.connected).toBe(false)
    proxy.blocked = false
    await waitFor('the wrapper to come back', () => proxy.connected)
    expect(await followup(() => undefined)).toBe('confirmed')
    expect(mock.problems).toEqual([])
  })
})
