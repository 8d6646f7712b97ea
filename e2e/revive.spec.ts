import { describe, expect, it } from 'vitest'
import { everything } from '../shared/testing/runs.ts'
import { firstOf, unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { gate, say } from './support/mock-upstream/index.ts'
import { onward } from './support/onward-cli.ts'
import { agentMissing, realAgents } from './support/real/index.ts'
import { places, type PlaceKind } from './support/real/person.ts'
import { agentsIn, signal } from './support/real/processes.ts'
import { allTold, atPeace, followup, PATIENT_MS, seenTask, task } from './support/real/scenarios/stage.ts'
import { agentWorld, type AgentWorld } from './support/real/world.ts'
import type { RealAgent } from './support/real/types.ts'
import { tmuxMissing } from './support/tmux.ts'

const text = 'Continue where you left off.'

/** Where one kind of terminal is enough, each agent has another. */
const each: readonly (readonly [RealAgent, PlaceKind])[] = [
  [realAgents.claude, 'wrapped'],
  [realAgents.codex, 'pane'],
  [realAgents.opencode, 'hosted'],
  [realAgents.gemini, 'wrapped'],
  [realAgents.qwen, 'hosted'],
]

const kill = (folder: string, home: string) => signal(agentsIn(folder, home), 'SIGKILL')

for (const [agent, one] of each) {
  describe(`a real ${agent.name} ends while a goal is set`, unless(firstOf(tmuxMissing, agentMissing(agent))), () => {
    const world = agentWorld(agent)
    const start = async (how: PlaceKind) => {
      await world.engine.control.api.setSetting.mutate({ name: 'goal.revive', value: true })
      return world.start(agent, { how })
    }
    const rounds = 2

    it.each(everything ? places : [one])('killed in the middle of a turn, it goes on once (%s)', async (how) => {
      const { mock, engine } = world
      const { control } = engine
      mock.queue(say('One part is written.', { hold: { at: 'head', until: gate() } }))
      const person = await start(how)
      await person.say(task(rounds))
      await mock.turn(1, PATIENT_MS)
      const before = await control.session((s) => s.stopMessage?.status.kind === 'armed')
      kill(person.cwd, engine.home)
      await control.event('revived', ({ signal, times }) => signal === 'SIGKILL' && times === 1)
      const session = await control.session((s) => s.shape === 'done' || s.shape === 'failed', PATIENT_MS)
      expect(session).toMatchObject({
        id: before.id,
        terminalId: before.terminalId,
        shape: 'done',
        startedAgain: 1,
        stopMessage: { used: rounds, max: rounds },
      })
      await atPeace({ agent, world, how })
      expect(allTold({ agent, world, how })).toEqual([seenTask, text, ...Array<string>(rounds).fill(followup)])
      expect((await onward(['status', '--home', engine.home])).out).toMatch(/Started again +.*: 1 time/)
    })

    it.each(everything ? places : [one])('quit by its person, it rests (%s)', async (how) => {
      const { mock, engine } = world
      const { control } = engine
      const answer = gate()
      mock.queue(say('One part is written.', { hold: { at: 3, until: answer } }))
      const person = await start(how)
      await person.say(task(5))
      await mock.turn(1, PATIENT_MS)
      await person.draft(agent.quit)
      answer.open()
      await waitFor('its answer', () =>
        control.events.some(({ body }) => body.type === 'turn-ended' && body.turn === 1),
      )
      person.press('Enter')
      await control.session((s) => s.shape === 'gone' || s.shape === 'failed', PATIENT_MS)
      const told = await control.event('terminal-closed', () => true)
      expect(told).toBeDefined()
      await atPeace({ agent, world, how })
      expect(control.events.filter(({ body }) => body.type === 'revived')).toEqual([])
      expect(agentsIn(person.cwd, engine.home)).toEqual([])
    })
  })
}

describe('an agent that dies again and again', unless(firstOf(tmuxMissing, agentMissing(realAgents.codex))), () => {
  const world: AgentWorld = agentWorld(realAgents.codex)

  it('is started three times, and then its person is asked', async () => {
    const { mock, engine } = world
    const { control } = engine
    await control.api.setSetting.mutate({ name: 'goal.revive', value: true })
    mock.otherwise = say('One part is written.', { hold: { at: 3, until: gate() } })
    const person = await world.start(realAgents.codex, { how: 'hosted' })
    await person.say(task(5))
    await mock.turn(1, PATIENT_MS)
    for (let times = 1; times <= 3; times++) {
      kill(person.cwd, engine.home)
      await control.event('revived', (body) => body.times === times)
      await mock.turn(times + 1, PATIENT_MS)
    }
    kill(person.cwd, engine.home)
    await control.event('revive-refused', ({ why }) => why === 'too-often')
    const session = await control.session((s) => s.shape === 'failed')
    expect(session.say).toEqual({ code: 'gone', rests: 'too-often' })
    expect(control.notices.map((n) => n.class)).toEqual(['needs-you'])
  })
})
