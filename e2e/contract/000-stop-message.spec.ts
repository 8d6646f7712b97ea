import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { unless } from '../../shared/testing/unless.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { chatEntry, messagesEntry, responsesEntry } from '../support/entries.ts'
import { removeHomes } from '../support/engine-process.ts'
import { gate, say } from '../support/mock-upstream/index.ts'
import { tmuxMissing } from '../support/tmux.ts'
import { toolCalled, plainStop, startContractWorld, type ContractWorld, type PaneAgent } from './world.ts'

describe('stopMessage', unless(tmuxMissing), () => {
  let world: ContractWorld
  let agent: PaneAgent
  beforeAll(async () => {
    world = await startContractWorld()
    agent = await world.pane()
  })
  afterEach(() => agent.answers(toolCalled))
  afterAll(async () => {
    await world.dispose()
    removeHomes()
  })
  const session = (id: string) => world.engine.control.sessions.get(id)

  describe('1.1 what can be written', () => {
    it('a text and a number arm it for so many rounds', async () => {
      await agent.says('Begin. <**stopMessage:"do what is open",3**>')
      expect(agent.shown()).toMatchObject({ text: 'do what is open', max: 3, used: 0, status: { kind: 'armed' } })
    })

    it('a quote within the text is written with a backslash', async () => {
      await agent.says(String.raw`<**stopMessage:"say \"done\" at the end",2**> go`)
      expect(agent.shown()).toMatchObject({ text: 'say "done" at the end', max: 2 })
    })

    it('without a number it is ten rounds', async () => {
      await agent.says('<**stopMessage:"go on"**> now')
      expect(agent.shown()).toMatchObject({ text: 'go on', max: 10 })
    })

    it('clear takes all of it away', async () => {
      await agent.says('<**stopMessage:"go on"**> now')
      await agent.says('Enough. <**stopMessage:clear**>')
      expect(agent.shown()?.status.kind ?? 'none').toBe('none')
    })
  })

  describe('1.2 what is kept', () => {
    it('each new marker begins to count at none', async () => {
      agent.answers(plainStop, plainStop, toolCalled)
      await agent.says('Begin. <**stopMessage:"first",2**>')
      await waitFor('its rounds', () => agent.shown()?.used === 2)
      await agent.rest()
      await agent.says('Anew. <**stopMessage:"second",4**>')
      expect(agent.shown()).toMatchObject({ text: 'second', max: 4, used: 0 })
    })

    it('sessions of Chat and Responses are told by their headers', async () => {
      for (const door of [chatEntry, responsesEntry]) {
        await world.ask(door, ['hello'], { session_id: `headers-${door.entry}` })
        await waitFor('the session', () => session(`headers-${door.entry}`))
      }
    })

    it('sessions of Messages are told by session_ in metadata.user_id', async () => {
      const id = '7f3e2a10-1111-4222-8333-944455556666'
      const metadata = { user_id: `user_${'a'.repeat(64)}_account__session_${id}` }
      await world.ask(messagesEntry, ['hello'], {}, { metadata })
      await waitFor('the session', () => session(id))
    })

    it('words of a summary further in the conversation are no compaction', async () => {
      await agent.says('<**stopMessage:clear**> go on')
      agent.answers(plainStop, plainStop, toolCalled)
      await agent.says('Here is an old one: Handoff Summary of the work. <**stopMessage:"go on",1**>')
      await waitFor('its round', () => agent.told().at(-1) === 'go on')
      await agent.rest()
    })
  })

  describe('2 how it is read and taken out', () => {
    it('the markers of the last user message count, those of older ones do not', async () => {
      await agent.says('Enough. <**stopMessage:clear**> now')
      await agent.says('And on.')
      expect(agent.shown()?.status.kind ?? 'none').toBe('none')
    })

    it('no provider sees a marker of any kind, in the last message or in history', async () => {
      const texts = ['Old <**stopMessage:"x",2**> words', 'Yes.', '<**!chat**> New words <**clear**>']
      for (const door of [chatEntry, responsesEntry, messagesEntry]) {
        const sent = await world.ask(door, texts, { session_id: `markers-${door.entry}` })
        expect(sent).not.toContain('<**')
        expect(sent).toContain('Old ')
        expect(sent).toContain(' New words')
      }
    })

    it('the rest of a text stays as it was', async () => {
      const sent = await world.ask(chatEntry, ['a  b\n\n\tc <**clear**>'], { session_id: 'rest' })
      expect(sent).toContain(String.raw`a  b\n\n\tc `)
    })
  })

  describe('3 how it goes on', () => {
    it('at a plain stop the text is the next user message, and a round is counted', async () => {
      const one = await world.pane()
      one.answers(plainStop, toolCalled)
      await one.says('Begin. <**stopMessage:"carry on",3**>')
      await waitFor('the round', () => one.shown()?.used === 1)
      await one.rest()
      expect(one.told()).toEqual(['Begin. ', 'carry on'].map((text) => expect.stringContaining(text.trim())))
      expect(one.shown()?.lastUsedAt ?? null).not.toBeNull()
      one.end()
    })

    it('not after a tool call', async () => {
      const one = await world.pane()
      one.answers(toolCalled)
      await one.says('Begin. <**stopMessage:"carry on",3**>')
      await one.rest()
      expect(one.submits()).toHaveLength(1)
      one.end()
    })

    it('not once its rounds are used, so that a followup begins no loop', async () => {
      const one = await world.pane()
      one.answers(plainStop)
      await one.says('Begin. <**stopMessage:"carry on",2**>')
      await waitFor('its end', () => one.events().some(({ type }) => type === 'done'))
      await one.rest()
      expect(one.submits().slice(1)).toEqual(['carry on', 'carry on'])
      one.end()
    })

    it('not when the client has left', async () => {
      const one = await world.pane()
      const until = gate()
      one.answers(say('Too late.', { hold: { at: 'head', until } }))
      void one.says('Begin. <**stopMessage:"carry on",2**>').catch(() => undefined)
      await waitFor('the request', () => one.told().length > 0)
      one.end()
      until.open()
      await one.rest()
      expect(one.events().filter(({ type }) => type === 'queued')).toEqual([])
    })
  })

  describe('4 what it promises', () => {
    it('the number alone limits the rounds', async () => {
      await agent.says('<**stopMessage:"go on",5000**> now')
      expect(agent.shown()).toMatchObject({ max: 5000 })
    })

    it('it lasts over a restart of the engine', async () => {
      await agent.says('<**stopMessage:"after that",7**> now')
      await agent.rest()
      await world.restart()
      await waitFor('its state', () => agent.shown()?.text === 'after that')
      expect(agent.shown()).toMatchObject({ max: 7, used: 0, status: { kind: 'armed' } })
    })
  })
})
