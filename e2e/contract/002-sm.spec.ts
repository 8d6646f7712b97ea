import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { EventBody } from '../../shared/events.ts'
import { unless } from '../../shared/testing/unless.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { removeHomes } from '../support/engine-process.ts'
import { fail, gate, say } from '../support/mock-upstream/index.ts'
import { nothingMore } from '../support/nothing-more.ts'
import { notYet, reached, read } from '../support/reviewers.ts'
import { tmuxMissing } from '../support/tmux.ts'
import { nineFields, plainStop, startContractWorld, toolCalled, type ContractWorld, type PaneAgent } from './world.ts'

describe('sm', unless(tmuxMissing), () => {
  let world: ContractWorld
  let agent: PaneAgent
  beforeAll(async () => {
    world = await startContractWorld({ goal: { askMinutes: 0.02 } })
    agent = await world.pane()
    writeFileSync(join(agent.cwd, 'evidence.txt'), 'all of it\n')
  })
  afterEach(async () => {
    agent.answers(toolCalled)
    await agent.says('Enough. <**sm:off**>')
  })
  afterAll(async () => {
    await world.dispose()
    removeHomes()
  })
  const status = () => agent.shown()?.status.kind ?? 'none'

  describe('1.1 what can be written', () => {
    it.each(['hand in the missing evidence', '补齐交付证据'])(
      'a goal and a number: a reviewer looks, for so many rounds: %s',
      async (goal) => {
        await agent.says(`<**sm:"${goal}",30**> go`)
        expect(agent.shown()).toMatchObject({ text: goal, max: 30, review: true })
      },
    )

    it('a goal alone goes on until it is reached', async () => {
      await agent.says('<**sm:"hand in the missing evidence"**> go')
      expect(agent.shown()).toMatchObject({ max: null, review: true, status: { kind: 'armed' } })
    })

    it.each(['<**sm:on/30**>', '<**sm:30**>', '<**sm:on,30**>'])(
      'rounds without a goal have the default goal: %s',
      async (marker) => {
        await agent.says(`${marker} go`)
        expect(agent.shown()).toMatchObject({ max: 30, review: true })
        expect(agent.shown()?.text).not.toBe('')
      },
    )

    it('arming a goal says when it will ask, and a plain text asks never', async () => {
      const effect = async (marker: string) => {
        await agent.says(`${marker} go`)
        const applied = agent.events().findLast((body) => body.type === 'marker-applied')
        return applied?.type === 'marker-applied' ? applied.effect : ''
      }
      const asks = 'pauses to ask after 5 rounds without progress'
      for (const marker of ['<**sm:"a goal",30**>', '<**sm:"a goal"**>']) expect(await effect(marker)).toContain(asks)
      for (const marker of ['<**sm:"a text",30,ai:off**>', '<**stopMessage:"a text",3**>'])
        expect(await effect(marker)).toMatch(/^stopMessage armed, \d+ rounds$/)
    })

    it('off ends it', async () => {
      await agent.says('<**sm:"a goal",3**> go')
      await agent.says('Enough. <**sm:off**>')
      expect(status()).toBe('none')
    })

    it('ai:off types the text itself', async () => {
      await agent.says('<**sm:"the very text",3,ai:off**> go')
      expect(agent.shown()).toMatchObject({ text: 'the very text', max: 3, review: false })
    })
  })

  describe('1.1 what the reviewer does', () => {
    const goal = 'hand in the missing evidence'
    const look = read('evidence.txt')
    /** waits for what comes of a goal that is given now */
    const begins = async (marker: string, ends: (body: EventBody) => boolean) => {
      const before = agent.events().length
      await agent.says(`Begin. ${marker}`)
      return waitFor('its end', () => agent.events().slice(before).find(ends))
    }

    it('it writes the next message, until it has seen that the goal is reached', async () => {
      world.reviewerSays(look, notYet('Write part two.'), look, reached('file:evidence.txt'))
      agent.answers(plainStop)
      expect(await begins(`<**sm:"${goal}"**>`, ({ type }) => type === 'done')).toMatchObject({
        reason: { code: 'goal-reached' },
      })
      expect(agent.submits().slice(-2)).toEqual([expect.stringContaining('Begin.'), 'Write part two.'])
      await agent.rest()
    })

    it('it has to look first, with tools to do so: its word alone is not believed', async () => {
      const before = world.mock.requests.length
      world.reviewerSays(reached('trust me'))
      agent.answers(plainStop)
      expect(await begins(`<**sm:"${goal}",2**>`, ({ type }) => type === 'review-done')).toMatchObject({
        review: { outcome: { code: 'failed', why: expect.stringContaining('without having looked') } },
      })
      const asked = world.mock.requests.slice(before).filter(({ model }) => model === 'strict-1')
      expect(asked[0]?.body.toString()).toContain(goal)
      expect(asked[0]?.body.toString()).toContain('read_file')
    })

    it('a review that fails is reported, rounds without one count, and in the end a person is asked', async () => {
      const submits = agent.submits().length
      world.reviewerSays(fail(400, { message: 'no such thing' }))
      agent.answers(plainStop)
      expect(await begins(`<**sm:"${goal}",5**>`, ({ type }) => type === 'paused')).toMatchObject({
        reason: { code: 'review-failed', why: expect.stringContaining('no such thing') },
      })
      await waitFor('the pause', () => agent.shown()?.status.kind === 'paused')
      expect(agent.shown()?.used).toBe(2)
      expect(agent.submits()).toHaveLength(submits + 3)
      await waitFor('the log', () => world.logged(agent.session).some(({ msg }) => msg === 'review-done'))
    })

    it('a number of rounds is a promise: a guard asks once and goes on, without a number it waits', async () => {
      const { api } = world.engine.control
      await api.setBudgets.mutate({ noProgressRounds: 1 })
      const asked = () => agent.events().filter(({ type }) => type === 'paused')
      const before = asked().length
      world.reviewerSays(look, notYet('Write part two.'))
      agent.answers(plainStop)
      expect(await begins(`<**sm:"${goal}",3**>`, ({ type }) => type === 'done')).toMatchObject({
        reason: { code: 'rounds-used' },
      })
      expect(asked().slice(before)).toMatchObject([{ reason: { code: 'budget', budget: 'no-progress' } }])
      await begins(`<**sm:"${goal}"**>`, ({ type }) => type === 'paused')
      await nothingMore(world.mock, world.engine)
      expect(asked()).toHaveLength(before + 2)
      expect(status()).toBe('paused')
      await api.setBudgets.mutate({ noProgressRounds: 5 })
    })
  })

  describe('2 what other programs read', () => {
    it('all nine fields, while the goal goes on', async () => {
      const goesOn = gate()
      world.reviewerSays(read('evidence.txt'), notYet('Write part two.'))
      agent.answers(plainStop, say('Part two.', { hold: { at: 'head', until: goesOn } }), toolCalled)
      void agent.says('Begin. <**sm:"write it all",30**>')
      await waitFor('its first round', () => agent.told().at(-1) === 'Write part two.')
      const fields = await waitFor('the file', () => {
        const there = world.fields(agent.scope)
        return there?.['stopMessageText'] === 'write it all' && there['stopMessageUsed'] === 1 && there
      }).finally(goesOn.open)
      expect(Object.keys(fields)).toEqual(expect.arrayContaining(nineFields))
      expect(fields).toMatchObject({
        stopMessageText: 'write it all',
        stopMessageMaxRepeats: 30,
        stopMessageUsed: 1,
        stopMessageUpdatedAt: expect.any(Number),
        stopMessageLastUsedAt: expect.any(Number),
        stopMessageStageMode: expect.stringMatching(/^(on|off|auto)$/),
        stopMessageAiMode: 'on',
        stopMessageAiSeedPrompt: 'write it all',
        stopMessageAiHistory: [expect.any(Object)],
      })
      await waitFor('its answer', agent.idle)
    })

    it('without a number the number of rounds is one that no goal reaches', async () => {
      await agent.says('<**sm:"write it all"**> go')
      const fields = await waitFor('the file', () => {
        const there = world.fields(agent.scope)
        return Number(there?.['stopMessageMaxRepeats']) > 30 && there
      })
      expect(fields).toMatchObject({ stopMessageMaxRepeats: Number.MAX_SAFE_INTEGER, stopMessageUsed: 0 })
    })
  })

  describe('3 a marker’s life', () => {
    it('one of an older message is not read again', async () => {
      await agent.says('<**sm:"a goal",3**> go')
      await agent.says('Enough. <**sm:off**>')
      await agent.says('And on, with all of that in the history.')
      expect(status()).toBe('none')
    })

    it('off wins over all others of its message', async () => {
      await agent.says('<**sm:off**> no, <**sm:"a goal",30**>')
      expect(status()).toBe('none')
    })

    it('else the last one counts', async () => {
      await agent.says('<**sm:"the first",3**> no, <**sm:"the second",4**>')
      expect(agent.shown()).toMatchObject({ text: 'the second', max: 4 })
    })

    it('a round is typed into tmux and counted, and after the last one it is over', async () => {
      agent.answers(plainStop, toolCalled)
      await agent.says('Begin. <**sm:"carry on",1,ai:off**>')
      await waitFor('its round', () => agent.submits().at(-1) === 'carry on')
      await agent.rest()
      expect(agent.events().findLast(({ type }) => type === 'used')).toMatchObject({ used: 1, max: 1 })
      expect(agent.events().findLast(({ type }) => type === 'cleared')).toMatchObject({ by: 'rounds-used' })
      expect(status()).not.toBe('armed')
    })
  })

  describe('4 when something is wrong', () => {
    it('a marker that is not understood changes nothing, and its message goes on', async () => {
      await agent.says('<**sm:"a goal",5**> go')
      await agent.says('Go on. <**sm:on/not-a-number**>')
      expect(agent.shown()).toMatchObject({ text: 'a goal', max: 5 })
      expect(agent.told().at(-1)).toContain('Go on.')
      expect(agent.told().at(-1)).not.toContain('<**')
    })

    it.each(['<**sm:on/0**>', '<**sm:"a goal",-1**>', '<**sm**>', '<**sm:"a goal**>', '<**sm:maybe**>'])(
      'nor does any other malformed marker: %s',
      async (marker) => {
        await agent.says('<**sm:"a goal",5**> go')
        await agent.says(`Go on. ${marker}`)
        expect(agent.shown()).toMatchObject({ text: 'a goal', max: 5 })
        expect(agent.told().at(-1)).not.toContain('<**')
      },
    )

    it('a file that can’t be found or read sets nothing, what is set stays, and its message goes on', async () => {
      await agent.says('<**sm:"a goal",5**> go')
      for (const path of ['.onward/goals/none.md', '../../../../etc/hostname', '']) {
        await agent.says(`Go on. <**sm:file://${path}**>`)
        expect(agent.shown()).toMatchObject({ text: 'a goal', max: 5, status: { kind: 'armed' } })
        expect(agent.told().at(-1)).toContain('Go on.')
      }
    })

    it('the goal of a file is that file’s text, once a person has seen it', async () => {
      mkdirSync(join(agent.cwd, '.onward/goals'), { recursive: true })
      writeFileSync(join(agent.cwd, '.onward/goals/big.md'), 'Make the shop ready.\n')
      await agent.says('Go. <**sm:file://.onward/goals/big.md**>')
      expect(status()).toBe('none')
      const held = agent.events().findLast(({ type }) => type === 'marker-held')
      expect(held).toMatchObject({ why: 'new-file' })
      const { api } = world.engine.control
      const [waiting] = (await api.session.query(agent.session)).heldMarkers ?? []
      await api.applyMarker.mutate({ session: agent.session, marker: waiting?.id ?? '' })
      await waitFor('the goal', () => agent.shown()?.text === 'Make the shop ready.')
    })

    it('a text that can’t be typed ends it: no round, no second try, and the answer is whole', async () => {
      const program = await world.program()
      const ends = gate()
      program.answers(say('A part is done.', { hold: { at: 2, until: ends } }), plainStop)
      const answer = program.ask(['Begin. <**sm:"carry on",3,ai:off**>'], { stream: true })
      await waitFor('the goal', () => program.shown()?.status.kind === 'armed')
      world.tmux.killPane(program.pane)
      await waitFor('the end of its terminal', () =>
        world.engine.control.events.some(
          ({ scope, body }) => scope === program.scope && body.type === 'terminal-closed',
        ),
      )
      ends.open()
      expect((await answer).body.toString()).toContain('[DONE]')
      await program.ask(['And on.'])
      await nothingMore(world.mock, world.engine)
      expect(program.shown()?.status.kind ?? 'none').not.toBe('armed')
      expect(program.events().filter(({ type }) => type === 'used' || type === 'typed')).toEqual([])
    })
  })
})
