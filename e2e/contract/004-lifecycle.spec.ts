import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unless } from '../../shared/testing/unless.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { chatEntry, messagesEntry, responsesEntry } from '../support/entries.ts'
import { removeHomes } from '../support/engine-process.ts'
import { callTool } from '../support/mock-upstream/index.ts'
import { tmuxMissing } from '../support/tmux.ts'
import { plainStop, startContractWorld, toolCalled, type ContractWorld, type PaneAgent } from './world.ts'

describe('the lifecycle', unless(tmuxMissing), () => {
  let world: ContractWorld
  let agent: PaneAgent
  beforeAll(async () => {
    world = await startContractWorld()
    agent = await world.pane()
  })
  afterAll(async () => {
    await world.dispose()
    removeHomes()
  })
  const bodies = (session: string) =>
    world.engine.control.events.flatMap((event) => (event.sessionId === session ? [event] : []))

  describe('3 how it runs', () => {
    it('state stands under the scope of the tmux session that the client runs in', async () => {
      agent.answers(toolCalled)
      await agent.says('<**sm:"carry on",2,ai:off**> go')
      expect(agent.scope).toMatch(/^tmux:/)
      expect(bodies(agent.session).find(({ body }) => body.type === 'armed')?.scope).toBe(agent.scope)
    })

    it('a stop that matches is typed into that pane with Enter, and counted once it is', async () => {
      agent.answers(plainStop, toolCalled)
      await agent.says('Go on, then.')
      await waitFor('the round', () => agent.submits().at(-1) === 'carry on')
      await agent.rest()
      const story = agent.events().map(({ type }) => type)
      const order = ['matched', 'queued', 'typed', 'submitted', 'used'].map((type) => story.lastIndexOf(type as never))
      expect(order).toEqual(order.toSorted((a, b) => a - b))
      expect(order).not.toContain(-1)
    })
  })

  describe('4 hard rules', () => {
    it('a client without a tmux session can arm nothing, and is answered', async () => {
      for (const door of [chatEntry, responsesEntry, messagesEntry]) {
        const session = `plain-${door.entry}`
        const sent = await world.ask(door, ['Go. <**sm:"carry on",2**>'], { session_id: session })
        expect(sent).toContain('Go. ')
        expect(bodies(session).filter(({ body }) => body.type === 'armed')).toEqual([])
      }
    })

    it('nothing is found for a terminal by being the only one there is', async () => {
      const session = 'stranger'
      await world.ask(chatEntry, ['Go. <**sm:"of a stranger",2**>'], { session_id: session })
      await waitFor('the refusal', () => bodies(session).some(({ body }) => body.type === 'marker-refused'))
      expect(world.engine.control.sessions.get(session)?.stopMessage ?? null).toBeNull()
      expect(agent.shown()?.text).not.toBe('of a stranger')
    })

    it('no client sees a call of continue_execution: its turn ends as a plain stop', async () => {
      const one = await world.pane()
      one.answers(callTool('continue_execution', { summary: 'Write the next part.' }), toolCalled)
      await one.says('Begin.')
      await waitFor('the next turn', () => one.submits().length === 2)
      await one.rest()
      expect(one.calls()).toEqual(['look'])
      one.end()
    })
  })

  describe('6 what is told', () => {
    it('markers: what was set, in which scope, and why one was not', async () => {
      await agent.says('<**sm:"carry on",2,ai:off**> <**sm:on/not-a-number**> go')
      await agent.rest()
      const told = bodies(agent.session)
      expect(told.findLast(({ body }) => body.type === 'armed')).toMatchObject({ scope: agent.scope })
      expect(told.findLast(({ body }) => body.type === 'marker-refused')).toBeDefined()
    })

    it('stops: whether they matched, with every check and the one that failed', async () => {
      const skipped = agent.events().findLast(({ type }) => type === 'skipped')
      expect(skipped).toMatchObject({ reason: { code: 'not-a-plain-stop' }, steps: expect.any(Array) })
      const matched = agent.events().findLast(({ type }) => type === 'matched')
      expect(matched).toMatchObject({ steps: expect.arrayContaining([{ check: 'plain-stop', ok: true }]) })
    })

    it('each change of the state: set, counted, cleared', async () => {
      await agent.says('Enough. <**sm:off**>')
      const types = agent.events().map(({ type }) => type)
      for (const type of ['armed', 'used', 'cleared']) expect(types).toContain(type)
    })
  })
})
