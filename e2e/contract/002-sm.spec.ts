import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { unless } from '../../shared/testing/unless.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { removeHomes } from '../support/engine-process.ts'
import { tmuxMissing } from '../support/tmux.ts'
import { plainStop, startContractWorld, toolCalled, type ContractWorld, type PaneAgent } from './world.ts'

describe('sm', unless(tmuxMissing), () => {
  let world: ContractWorld
  let agent: PaneAgent
  beforeAll(async () => {
    world = await startContractWorld()
    agent = await world.pane()
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
    it('a goal and a number: a reviewer looks, for so many rounds', async () => {
      await agent.says('<**sm:"hand in the missing evidence",30**> go')
      expect(agent.shown()).toMatchObject({ text: 'hand in the missing evidence', max: 30, review: true })
    })

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

    it('a file that can’t be read sets nothing, and its message goes on', async () => {
      await agent.says('Go on. <**sm:file://.onward/goals/none.md**>')
      expect(status()).toBe('none')
      expect(agent.told().at(-1)).toContain('Go on.')
    })

    it('the goal of a file is that file’s text, once a person has seen it', async () => {
      mkdirSync(join(agent.cwd, '.onward/goals'), { recursive: true })
      writeFileSync(join(agent.cwd, '.onward/goals/big.md'), 'Make the shop ready.\n')
      await agent.says('Go. <**sm:file://.onward/goals/big.md**>')
      expect(status()).toBe('none')
      const held = agent.events().findLast(({ type }) => type === 'marker-held')
      expect(held).toMatchObject({ why: 'new-file' })
    })

    it('a terminal that is gone ends it, and the answer reaches the client all the same', async () => {
      const one = await world.pane()
      one.answers(toolCalled)
      await one.says('Begin. <**sm:"carry on",3,ai:off**>')
      one.end()
      await waitFor('the end of its terminal', () => one.events().some(({ type }) => type === 'terminal-closed'))
      await one.rest()
      expect(one.events().filter(({ type }) => type === 'queued')).toEqual([])
    })
  })
})
