import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unless } from '../../shared/testing/unless.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { schedule, typedAlarm } from '../support/alarm-story.ts'
import { aheadBy } from '../support/clock-ahead.ts'
import { allEntries, chatEntry, messagesEntry, responsesEntry } from '../support/entries.ts'
import { removeHomes } from '../support/engine-process.ts'
import { callTool, gate, say } from '../support/mock-upstream/index.ts'
import { nothingMore } from '../support/nothing-more.ts'
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

  describe('3 where a client runs', () => {
    const ways = ['header', 'metadata'] as const
    const saying = (
      how: (typeof ways)[number],
      { scope }: { scope: string },
    ): { headers: Record<string, string>; more: Record<string, unknown> } => {
      const name = scope.replace('tmux:', '')
      return how === 'header'
        ? { headers: { 'x-tmux-session-id': name }, more: {} }
        : { headers: {}, more: { metadata: { tmuxSessionId: name } } }
    }

    it.each(ways)('a request that names its tmux session from there has it as its scope: %s', async (how) => {
      const program = await world.program({ client: 'codex' })
      const { headers, more } = saying(how, program)
      await program.ask(['Go. <**sm:"by hand",2**>'], { by: { ...headers, originator: 'codex-tui' }, more })
      await waitFor('the goal', () => program.shown()?.text === 'by hand')
      expect(bodies(program.session).find(({ body }) => body.type === 'armed')?.scope).toBe(program.scope)
    })

    it.each(ways)('one that names it from elsewhere is answered, and arms nothing: %s', async (how) => {
      const session = `elsewhere-${how}`
      const { headers, more } = saying(how, await world.program())
      const asked = { ...headers, session_id: session }
      expect(await world.ask(chatEntry, ['Go. <**sm:"of a stranger",2**>'], asked, more)).toContain('Go. ')
      const refused = await waitFor('the refusal', () =>
        bodies(session).find(({ body: { type } }) => type === 'marker-refused'),
      )
      expect(refused.body).toMatchObject({ code: 'terminal-unproven' })
      expect(bodies(session).filter(({ body: { type } }) => type === 'armed')).toEqual([])
    })

    it('a stop matches in each protocol, as a stream and as JSON', async () => {
      for (const door of allEntries)
        for (const stream of [false, true]) {
          const program = await world.program()
          program.answers(plainStop)
          await program.ask(['Go. <**sm:"carry on",2,ai:off**>'], { door, stream })
          await waitFor('the match', () => program.events().some(({ type }) => type === 'matched'))
          // A followup that waits has its screen read several times a second.
          await program.ask(['Enough. <**sm:off**>'], { door })
        }
    })
  })

  describe('3 when the text can’t be typed', () => {
    it('the state goes, nothing is typed or asked, and the answer is whole', async () => {
      const program = await world.program()
      const ends = gate()
      program.answers(say('A part is done.', { hold: { at: 2, until: ends } }))
      const answer = program.ask(['Go. <**sm:"carry on",3,ai:off**>'], { stream: true })
      await waitFor('the goal', () => program.shown()?.status.kind === 'armed')
      world.tmux.killPane(program.pane)
      await waitFor('the end of its terminal', () =>
        bodies(program.session).some(({ body: { type } }) => type === 'terminal-closed'),
      )
      ends.open()
      expect((await answer).body.toString()).toContain('[DONE]')
      await nothingMore(world.mock, world.engine)
      expect(program.told()).toHaveLength(1)
      expect(program.events().findLast(({ type }) => type === 'cleared')).toMatchObject({ by: 'terminal-gone' })
      expect(program.events().filter(({ type }) => type === 'typed')).toEqual([])
      expect(program.shown()?.status.kind).not.toBe('armed')
      await waitFor('the log', () =>
        world.logged(program.scope).some(({ msg, by }) => msg === 'cleared' && by === 'terminal-gone'),
      )
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

    it('a client that names its daemon alone can arm nothing, though that daemon has a terminal', async () => {
      const program = await world.program({ client: 'codex', daemonId: 'by-name' })
      const by = { authorization: 'Bearer any::rcc-sessiond:by-name', originator: 'codex-tui' }
      expect((await program.ask(['Go. <**sm:"by name",2**>'], { by })).status).toBe(200)
      const refused = await waitFor('the refusal', () => program.events().find(({ type }) => type === 'marker-refused'))
      expect(refused).toMatchObject({ code: 'registered-client' })
      expect(program.events().filter(({ type }) => type === 'armed')).toEqual([])
    })

    it('no terminal is taken for being the only one there is', async () => {
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

  describe('4 what a client sees', () => {
    it.each(allEntries)(
      'of a call of continue_execution nothing, though no tool was declared: $entry',
      async (door) => {
        const program = await world.program()
        for (const stream of [false, true]) {
          program.answers(callTool('continue_execution', { summary: 'Go on.' }, { text: 'A part is done.', piece: 99 }))
          const text = (await program.ask(['Begin.'], { door, stream })).body.toString()
          expect(text).toContain('A part is done.')
          expect(text).not.toMatch(/continue_execution|"tool_calls"|"tool_use"|"function_call"|"functionCall"/)
          expect(text).toMatch(
            /"finish_reason":"stop"|"stop_reason":"end_turn"|"status":"completed"|"finishReason":"STOP"/,
          )
        }
      },
    )
  })

  describe('4.1 which way things go', () => {
    it('an alarm is typed into the terminal, and no answer is held for it', async () => {
      const at = Date.now() + 1_000
      agent.answers(schedule({ 'look at the tests': at }), toolCalled)
      await agent.says('Wake me. <**sm:off**>')
      await waitFor('the alarm', () => typedAlarm('look at the tests').test(agent.submits().at(-1) ?? ''))
      expect(agent.events().filter(({ type }) => type === 'hold-started')).toEqual([])
      await agent.rest()
    })

    it('other tools go on within the exchange: two requests to the provider, one of the agent', async () => {
      const [told, submits] = [agent.told().length, agent.submits().length]
      agent.answers(callTool('clock', { action: 'get', items: [], taskId: '' }), toolCalled)
      await agent.says('How late is it?')
      expect(agent.told()).toHaveLength(told + 2)
      expect(agent.submits()).toHaveLength(submits + 1)
    })

    it('stopMessage asks no provider itself: each request is the agent’s', async () => {
      agent.answers(plainStop, toolCalled)
      await agent.says('Go. <**sm:"one more",1,ai:off**>')
      await waitFor('its round', () => agent.submits().at(-1) === 'one more')
      await agent.rest()
      expect(agent.told().slice(-2)).toEqual([expect.stringContaining('Go.'), 'one more'])
      expect(agent.notes().filter(({ type }) => type === 'ask')).toHaveLength(agent.submits().length)
    })
  })

  describe('6 what is recorded', () => {
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

    it('the injection: into which terminal, whether Enter was taken, and what came of it', () => {
      const typed = world.engine.control.events.filter(({ sessionId }) => sessionId === agent.session)
      expect(typed.findLast(({ body }) => body.type === 'typed')).toMatchObject({ scope: agent.scope })
      expect(agent.events().findLast(({ type }) => type === 'submitted')).toMatchObject({ extraEnter: false })
      expect(agent.events().findLast(({ type }) => type === 'confirmed')).toMatchObject({ late: false })
    })

    it('each change of the state: set, counted, cleared', async () => {
      await agent.says('Enough. <**sm:off**>')
      const types = agent.events().map(({ type }) => type)
      for (const type of ['armed', 'used', 'cleared']) expect(types).toContain(type)
    })

    it('all of it stands in the log, with its scope and without a text', async () => {
      const told = [
        'armed',
        'marker-refused',
        'matched',
        'skipped',
        'typed',
        'submitted',
        'confirmed',
        'used',
        'cleared',
      ]
      const lines = await waitFor('the log', () => {
        const found = world.logged(agent.scope)
        return told.every((type) => found.some(({ msg }) => msg === type)) && found
      })
      expect(JSON.stringify(lines)).not.toMatch(/carry on|one more/)
    })
  })

  describe('5 a client that is started again', () => {
    it('in another tmux session: its state moves there, and the next round is typed there alone', async () => {
      const old = await world.pane()
      old.answers(plainStop, toolCalled)
      await old.says('Go. <**sm:"carry on",3,ai:off**>')
      await waitFor('its round', () => old.events().some(({ type }) => type === 'used'))
      await old.rest()
      process.kill(old.pid, 'SIGTERM')
      await waitFor('its end', () => old.events().some(({ type }) => type === 'terminal-closed'))
      const typed = old.submits().length

      const fresh = await world.pane(old)
      fresh.answers(plainStop, toolCalled)
      await fresh.says('Go on where you were.')
      await waitFor('the next round', () => fresh.submits().at(-1) === 'carry on')
      await fresh.rest()
      expect(fresh.scope).not.toBe(old.scope)
      expect(fresh.events().find(({ type }) => type === 'rebound')).toMatchObject({ from: old.scope, to: fresh.scope })
      expect(fresh.shown()).toMatchObject({ used: 2, max: 3 })
      expect(old.submits()).toHaveLength(typed)
      await waitFor('the log', () => world.logged(fresh.scope).some(({ msg }) => msg === 'rebound'))
      await waitFor('the file', () => world.fields(fresh.scope)?.['stopMessageText'] === 'carry on')
      await waitFor('the old file', () => (world.fields(old.scope)?.['stopMessageText'] ?? null) === null)
      fresh.end()
      old.end()
    })

    it('with the same daemon id it moves at once, when the new session is registered', async () => {
      const old = await world.program({ daemonId: 'build-bot' })
      await old.ask(['Go. <**sm:"of the bot",3,ai:off**>'])
      const fresh = await world.program({ daemonId: 'build-bot' })
      await waitFor('the file', () => world.fields(fresh.scope)?.['stopMessageText'] === 'of the bot')
      await waitFor('the old file', () => (world.fields(old.scope)?.['stopMessageText'] ?? null) === null)
    })

    it('where no other one comes, the state of a session that is gone is cleaned', async () => {
      const program = await world.program()
      await program.ask(['Go. <**sm:"of nobody",3,ai:off**>'])
      world.tmux.killPane(program.pane)
      await waitFor('the end of its terminal', () => program.events().some(({ type }) => type === 'terminal-closed'))
      await waitFor('its file', () => world.fields(program.scope)?.['stopMessageText'] === 'of nobody')
      await world.restart({
        env: aheadBy(11 * 60_000),
        away: () => expect(world.fields(program.scope)?.['stopMessageText']).toBe('of nobody'),
      })
      await waitFor('the clean file', () => (world.fields(program.scope)?.['stopMessageText'] ?? null) === null)
    })
  })
})
