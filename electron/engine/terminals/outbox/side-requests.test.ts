import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SimulatedAgent } from '../typing/testing/simulated-agent.ts'
import { safeFor } from '../safe-text.ts'
import type { Outbox } from './outbox.ts'
import type { Bench } from './testing/bench.ts'
import { typingScene, type TypingScene } from './testing/typing-scene.ts'

let bench: Bench
let agent: SimulatedAgent
let outbox: Outbox
let arrives: TypingScene['arrives']

beforeEach(async () => {
  scene = await typingScene()
  ;({ bench, agent, outbox, arrives } = scene)
  await scene.turn('hello')
})
let scene: TypingScene
afterEach(() => scene.outboxes.dispose())

const followup = () => outbox.add({ sessionId: 's1', text: 'carry on', source: 'stopMessage', round: 1 })
const states = () => outbox.list().map(({ state }) => state)

describe('a request of the agent’s own while a followup is being typed', () => {
  // Qwen Code asks for a suggestion and for what to remember within seconds of nearly every stop.
  it.each(['probe', 'subagent', 'title', 'count'] as const)(
    'is no proof that it was submitted (%s): Enter is pressed, and its own turn is the receipt',
    async (kind) => {
      await followup()
      // the text is out, Enter is not
      await bench.clock.advance(100)
      expect(agent.keys).toEqual(['carry on'])
      const own = await arrives(kind, '[SUGGESTION MODE: say what comes next]')
      await bench.clock.advance(1_000)
      outbox.requestEnded(own)
      await bench.clock.advance(1_000)
      expect(agent.keys).toEqual(['carry on', '⏎'])
      expect(states()).toEqual(['submitted'])
      await arrives('turn', 'carry on')
      expect(states()).toEqual(['confirmed'])
    },
  )

  it('is none either before the text is drawn', async () => {
    agent.onText = () => undefined
    await followup()
    await bench.clock.advance(100)
    const own = await arrives('probe', '[SUGGESTION MODE: say what comes next]')
    await bench.clock.advance(150)
    agent.state.composer = { kind: 'text', text: 'carry on' }
    await bench.clock.advance(1_000)
    outbox.requestEnded(own)
    await bench.clock.advance(1_000)
    expect(agent.keys).toEqual(['carry on', '⏎'])
    expect(states()).toEqual(['submitted'])
  })

  it('is none after Enter either: a text that stays in the composer gets the second Enter', async () => {
    agent.onEnter = () => undefined
    await followup()
    await bench.clock.advance(500)
    expect(agent.keys).toEqual(['carry on', '⏎'])
    outbox.requestEnded(await arrives('probe', '[SUGGESTION MODE: say what comes next]'))
    agent.onEnter = () => {
      agent.state.composer = { kind: 'empty' }
    }
    await bench.clock.advance(5_000)
    expect(agent.keys).toEqual(['carry on', '⏎', '⏎'])
    expect(states()).toEqual(['submitted'])
  })

  it('waits for no Enter where it is another turn: an answer runs', async () => {
    await outbox.add({ sessionId: 's1', text: 'carry on', source: 'user' })
    await bench.clock.advance(100)
    const other = await arrives('turn', 'what about this?')
    await bench.clock.advance(5_000)
    // it would merge with whatever the person writes while that answer runs
    expect(agent.keys).toEqual(['carry on', '⌫'])
    expect(outbox.list()[0]).toMatchObject({ state: 'queued', hold: { code: 'response-running' } })
    outbox.requestEnded(other)
    await bench.clock.advance(5_000)
    expect(agent.keys).toEqual(['carry on', '⌫', 'carry on', '⏎'])
    expect(states()).toEqual(['submitted'])
  })
})

describe('a sub-agent’s request that does not end', () => {
  it.each([
    ['subagent', ['carry on', '⏎']],
    ['title', []],
  ] as const)('holds nothing back where the screen is at rest, unlike others: %s', async (kind, keys) => {
    await arrives(kind, 'look around')
    await followup()
    await bench.clock.advance(5_000)
    expect(agent.keys).toEqual(keys)
  })
})

describe('a command of the agent’s own', () => {
  const command = () => outbox.add({ sessionId: 's1', text: '/compress', source: 'recover', writtenBy: 'onward' })

  it.each([250, 1_000])('is typed as it is, and what it does is its receipt, after %i ms', async (ms) => {
    await command()
    await bench.clock.advance(ms)
    outbox.requestEnded(await arrives('compaction', 'Generate a new <state_snapshot>'))
    await bench.clock.advance(1_000)
    expect(agent.keys[0]).toBe('/compress')
    expect(states()).toEqual(['confirmed'])
  })

  it('is no command where anybody else wrote it', async () => {
    scene.outboxes.dispose()
    scene = await typingScene({ safeText: safeFor })
    await scene.turn('hello')
    await scene.outbox.add({ sessionId: 's1', text: '/compress', source: 'user' })
    await scene.bench.clock.advance(1_000)
    expect(scene.agent.keys[0]).toBe('- /compress ')
  })
})
