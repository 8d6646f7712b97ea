import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { unless } from '../../shared/testing/unless.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import {
  allEntries,
  bodyEntries,
  bodyOf,
  chatEntry,
  messagesEntry,
  providersFor,
  responsesEntry,
  type BodyEntry,
} from '../support/entries.ts'
import { cleanEnv, removeHomes } from '../support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from '../support/engine.ts'
import { gate, say, type MockReply } from '../support/mock-upstream/index.ts'
import { at } from '../support/mock-upstream/json-path.ts'
import { nothingMore } from '../support/nothing-more.ts'
import { post } from '../support/post.ts'
import { tmuxMissing } from '../support/tmux.ts'
import { nineFields, plainStop, startContractWorld, toolCalled, type ContractWorld, type PaneAgent } from './world.ts'

const toolOf = ({ entry }: BodyEntry) => {
  const schema = { type: 'object', properties: {} }
  const look = { name: 'look', description: 'Looks at a place' }
  if (entry === 'messages') return { ...look, input_schema: schema }
  const tool = { ...look, parameters: schema }
  return entry === 'chat' ? { type: 'function', function: tool } : { type: 'function', ...tool }
}

describe('stopMessage', unless(tmuxMissing), () => {
  let world: ContractWorld
  let agent: PaneAgent
  /** a `bd` of its own on the engine's PATH: what it does is a line of shell */
  const bin = mkdtempSync(join(tmpdir(), 'onward-bd-'))
  const bd = (does: string) =>
    writeFileSync(join(bin, 'bd'), `#!/bin/sh\necho "$*" >> ${bin}/calls\n${does}\n`, { mode: 0o755 })
  const calls = () => (existsSync(join(bin, 'calls')) ? readFileSync(join(bin, 'calls'), 'utf8') : '')
  const env = { PATH: `${bin}:${cleanEnv()['PATH'] ?? ''}` }
  beforeAll(async () => {
    world = await startContractWorld({}, env)
    agent = await world.pane()
  })
  afterEach(() => agent.answers(toolCalled))
  afterAll(async () => {
    await world.dispose()
    rmSync(bin, { recursive: true })
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

    it('a session of Chat or Responses is identified by its header, session or conversation', async () => {
      for (const door of [chatEntry, responsesEntry])
        for (const header of ['session_id', 'conversation_id']) {
          await world.ask(door, ['hello'], { [header]: `${header}-${door.entry}` })
          await waitFor('the session', () => session(`${header}-${door.entry}`))
        }
    })

    it('a session of Messages is identified by session_… in metadata.user_id', async () => {
      const id = '7f3e2a10-1111-4222-8333-944455556666'
      const metadata = { user_id: `user_${'a'.repeat(64)}_account__session_${id}` }
      await world.ask(messagesEntry, ['hello'], {}, { metadata })
      await waitFor('the session', () => session(id))
    })

    it.each(allEntries)('a compaction, recognised by its first words, gets no followup: $entry', async (door) => {
      const program = await world.program()
      await program.ask(['Go. <**stopMessage:"go on",3**>'], { door })
      program.answers(plainStop)
      for (const stream of [false, true]) await program.ask(['Handoff Summary\nof all that was done'], { door, stream })
      const skipped = () =>
        program.events().filter((body) => body.type === 'skipped' && body.reason.code === 'not-a-turn')
      await waitFor('both stops', () => skipped().length === 2)
      await nothingMore(world.mock, world.engine)
      expect(program.events().filter(({ type }) => type === 'matched')).toEqual([])
      for (const one of skipped()) expect(one).toMatchObject({ reason: { kind: 'compaction' } })
    })

    it('the same words further on, or in an older message, make no compaction', async () => {
      await agent.says('<**stopMessage:clear**> go on')
      agent.answers(plainStop, plainStop, toolCalled)
      await agent.says('Here is an old one: Handoff Summary of the work. <**stopMessage:"go on",1**>')
      await waitFor('its round', () => agent.told().at(-1) === 'go on')
      await agent.rest()
      const program = await world.program()
      program.answers(plainStop)
      await program.ask(['Handoff Summary\nof before', 'I know it.', 'Begin. <**stopMessage:"go on",1**>'])
      await waitFor('the match', () => program.events().some(({ type }) => type === 'matched'))
    })
  })

  describe('1.2 whether work is open', () => {
    const begin = (...replies: MockReply[]) => {
      mkdirSync(join(agent.cwd, '.beads'), { recursive: true })
      writeFileSync(join(agent.cwd, '.beads/issues.jsonl'), '')
      rmSync(join(bin, 'calls'), { force: true })
      agent.answers(...replies)
      return agent.says('Begin. <**stopMessage:"next one",1**>')
    }
    const end = (kind: string) =>
      waitFor('its end', () =>
        agent.events().some((body) => body.type === 'done' && body.reason.code === kind && agent.idle()),
      )
    afterEach(() => rmSync(join(agent.cwd, '.beads'), { recursive: true }))

    it('by default bd is asked, and when it says that no work is open, nothing follows', async () => {
      bd('echo "[]"')
      await begin(plainStop)
      await end('no-open-work')
      expect(calls()).toMatch(/^--no-db list .*--json\n--no-db ready --json\n/)
      expect(agent.submits().at(-1)).toContain('Begin.')
    })

    it('when bd fails, the messages decide: nothing in them says that all is done', async () => {
      bd('exit 3')
      await begin(plainStop, toolCalled)
      await waitFor('its round', () => agent.submits().at(-1) === 'next one')
      expect(calls()).not.toBe('')
      await agent.rest()
    })

    it('ROUTECODEX_STOPMESSAGE_BD_MODE=runtime: bd alone decides, and when it fails, work is open', async () => {
      await world.restart({ env: { ...env, ROUTECODEX_STOPMESSAGE_BD_MODE: 'runtime' } })
      bd('echo "[]"')
      await begin(plainStop)
      await end('no-open-work')
      bd('exit 3')
      await begin(say('No issue is open any more: all is done.'), toolCalled)
      await waitFor('its round', () => agent.submits().at(-1) === 'next one')
      expect(calls()).not.toBe('')
      await agent.rest()
    })

    it('ROUTECODEX_STOPMESSAGE_BD_MODE=heuristic: bd is not asked', async () => {
      await world.restart({ env: { ...env, ROUTECODEX_STOPMESSAGE_BD_MODE: 'heuristic' } })
      bd('echo "[]"')
      await begin(plainStop, toolCalled)
      await waitFor('its round', () => agent.submits().at(-1) === 'next one')
      expect(calls()).toBe('')
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
      const kinds = '<**stopMessage:"x",2**><**sm:on/3**><**!glm**><**#glm**><**clock:clear**>'
      const texts = [`Old ${kinds} words`, 'Yes.', '<**!chat**> New words <**clear**>']
      for (const door of allEntries) {
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
    it.each(['carry on', '立即执行待处理任务'])(
      'at a plain stop the text is the next user message, and a round is counted: %s',
      async (text) => {
        agent.answers(plainStop, toolCalled)
        await agent.says(`Begin. <**stopMessage:"${text}",3**>`)
        await waitFor('the round', () => agent.shown()?.text === text && agent.shown()?.used === 1)
        await agent.rest()
        expect(agent.told().slice(-2)).toEqual([expect.stringContaining('Begin.'), text])
        expect(agent.shown()?.lastUsedAt ?? null).not.toBeNull()
      },
    )

    it('not after a tool call or at the token limit', async () => {
      const program = await world.program()
      program.answers(toolCalled, say('A part is', { finish: 'length' }))
      await program.ask(['Begin. <**stopMessage:"carry on",3**>'])
      await program.ask(['Go on.'])
      const skipped = () => program.events().filter(({ type }) => type === 'skipped')
      await waitFor('both ends', () => skipped().length === 2)
      await nothingMore(world.mock, world.engine)
      expect(skipped()).toMatchObject(
        ['tool-calls', 'length'].map((finish) => ({ reason: { code: 'not-a-plain-stop', finish } })),
      )
      expect(program.events().filter(({ type }) => type === 'queued')).toEqual([])
    })

    it('not once its rounds are used, so that a followup begins no loop', async () => {
      agent.answers(plainStop)
      await agent.says('Begin. <**stopMessage:"carry on",2**>')
      await waitFor(
        'its end',
        () => agent.events().findLast(({ type }) => type === 'done' || type === 'armed')?.type === 'done',
      )
      await agent.rest()
      expect(agent.submits().slice(-3)).toEqual([expect.stringContaining('Begin.'), 'carry on', 'carry on'])
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

    it.each(bodyEntries)('a client that hangs up after a whole answer has not left: $entry', async (door) => {
      const program = await world.program()
      program.answers(plainStop)
      const asked = program.begin(['Begin. <**stopMessage:"carry on",2**>'], { door, stream: true })
      const last = { chat: '[DONE]', responses: '"response.completed"', messages: '"message_stop"' }[door.entry]
      await waitFor('its last event', () => asked.received().includes(last))
      asked.leave()
      await waitFor('the match', () => program.events().some(({ type }) => type === 'matched'))
    })
  })

  describe('4 what it promises', () => {
    /** A goal's file follows within five seconds; an engine that has no time left at its end leaves it to the next. */
    const written = (is: (fields: Readonly<Record<string, unknown>>) => boolean) =>
      waitFor('its file', () => is(world.fields(agent.scope) ?? {}))

    it('the number alone limits the rounds', async () => {
      await agent.says('<**stopMessage:"go on",5000**> now')
      expect(agent.shown()).toMatchObject({ max: 5000 })
    })

    it('it lasts over a restart of the engine, and stands on the disk for other programs', async () => {
      agent.answers(plainStop, toolCalled)
      await agent.says('<**stopMessage:"after that",7**> now')
      await waitFor('the round', () => agent.shown()?.used === 1)
      await agent.rest()
      await written((fields) => fields['stopMessageUsed'] === 1)
      await world.restart({
        away: () =>
          expect(world.fields(agent.scope)).toMatchObject({
            stopMessageText: 'after that',
            stopMessageMaxRepeats: 7,
            stopMessageUsed: 1,
            stopMessageUpdatedAt: expect.any(Number),
            stopMessageLastUsedAt: expect.any(Number),
          }),
      })
      await waitFor('its state', () => agent.shown()?.text === 'after that')
      expect(agent.shown()).toMatchObject({ max: 7, used: 1, status: { kind: 'armed' } })
    })

    it('a new marker takes the last use away, and clear all of it', async () => {
      await agent.says('<**stopMessage:"anew",7**> now')
      await written((fields) => fields['stopMessageText'] === 'anew')
      await world.restart({
        away: () =>
          expect(world.fields(agent.scope)).toMatchObject({
            stopMessageText: 'anew',
            stopMessageUsed: 0,
            stopMessageLastUsedAt: null,
          }),
      })
      await agent.says('Enough. <**stopMessage:clear**>')
      await written((fields) => !('stopMessageText' in fields))
      await world.restart({
        away: () => {
          const left = world.fields(agent.scope) ?? {}
          expect(nineFields.filter((name) => name in left)).toEqual([])
        },
      })
    })
  })

  describe('3.4 and 4 within one exchange (delivery: reenter)', () => {
    let engine: EngineForTest
    const door = chatEntry
    beforeAll(async () => {
      engine = await startEngineForTest({
        ...providersFor(world.mock, 'mock-key'),
        stopMessage: { delivery: 'reenter', settleMs: 0 },
        clock: { enabled: false, timeTag: false },
        servertools: { enabled: false },
        markers: { anywhere: true, codeSpans: 'strip' },
        language: 'zh-CN',
      })
    })
    afterAll(() => engine.dispose())
    const ask = async (
      session: string,
      text: string,
      replies: MockReply[],
      to: BodyEntry = door,
      more: object = {},
    ) => {
      world.mock.queue(...replies)
      const answer = await post(engine, to.path, bodyOf(to, [text], { ...more }), {
        headers: { ...to.headers, session_id: session },
      })
      return answer.body.toString()
    }

    it.each(bodyEntries)(
      'the request is sent again with the text after it and everything else unchanged: $entry',
      async (to) => {
        const tools = [toolOf(to)]
        const more = { tools, temperature: 0.3 }
        const before = world.mock.turns().length
        const text = await ask(
          `again-${to.entry}`,
          'Begin. <**stopMessage:"carry on",1**>',
          [plainStop, say('All done.')],
          to,
          more,
        )
        expect(text).toContain('A part is done.')
        expect(text).toContain('All done.')
        const [first, second] = world.mock.turns().slice(before)
        expect(second).toMatchObject({
          endpoint: first?.endpoint,
          path: first?.path,
          model: first?.model,
          lastUserText: 'carry on',
        })
        expect(second?.json).toMatchObject({ tools, temperature: 0.3 })
        expect(at(second?.json, to.list, 0)).toEqual(at(first?.json, to.list, 0))
      },
    )

    it('markers act anywhere and in code where the config has it so, and reach no provider', async () => {
      await ask('code', 'one\ntwo `<**stopMessage:"in code",2**>` three\nfour', [toolCalled], door, {
        tools: [toolOf(door)],
      })
      const said = world.mock.turns().at(-1)?.lastUserText ?? ''
      expect(said).toContain('two ')
      expect(said).not.toContain('<**')
      await waitFor('the goal', () => engine.control.sessions.get('code')?.stopMessage?.text === 'in code')
    })

    it('where Onward speaks Chinese the default goal is 继续执行', async () => {
      await ask('default', 'Go. <**sm:on/3**>', [toolCalled], door, { tools: [toolOf(door)] })
      await waitFor('the goal', () => engine.control.sessions.get('default')?.stopMessage?.text === '继续执行')
    })
  })
})
