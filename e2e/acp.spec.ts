/** `onward acp` between the SDK's own client and real agents, over a mocked provider. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { everything } from '../shared/testing/runs.ts'
import { firstOf, notOnLinux, unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { startAcpEditor, type AcpAgentWords, type AcpEditor } from './support/acp-editor.ts'
import { noBrowser } from './support/browser.ts'
import { eachTest } from './support/each-test.ts'
import type { EngineProcess } from './support/engine-process.ts'
import { heldFor, queuedRound } from './support/followups.ts'
import { startMcp } from './support/mcp-client.ts'
import { gate, say, type Gate, type MockUpstream } from './support/mock-upstream/index.ts'
import { atRest, nothingMore } from './support/nothing-more.ts'
import { onward } from './support/onward-cli.ts'
import { agentMissing, realAgents } from './support/real/index.ts'
import { mockProvider } from './support/entries.ts'
import { agentsIn } from './support/real/processes.ts'

const gemini: AcpAgentWords = { agent: realAgents.gemini, words: ['gemini', '--acp'] }
const qwen: AcpAgentWords = { agent: realAgents.qwen, words: ['qwen', '--acp', '--approval-mode', 'default'] }
const opencode: AcpAgentWords = { agent: realAgents.opencode, words: ['opencode', 'acp'] }
// Qwen Code is made from Gemini CLI: it goes through all of it once a week.
const all = everything ? [gemini, qwen, opencode] : [gemini, opencode]
/** In CI opencode goes through what Gemini CLI would need minutes for, and a few rounds. */
const doesAll = (agent: AcpAgentWords['agent']) => everything || agent.client === 'gemini'

const answer = 'One part is written.'
const next = 'Write the next part.'
const task = `Write all parts. <**stopMessage:"${next}",3**>`
const rounds = [next, next, next]
const recoverText = 'Continue where you left off.'
const halfAnAnswer = say('This part is only half written.', { piece: 4, breakOff: { after: 4, how: 'cut' } })

describe.each(all)('$agent.name in an editor that speaks ACP', ({ agent, words }) => {
  const each = eachTest()
  let mock: MockUpstream
  let engine: EngineProcess
  let editor: AcpEditor

  async function open(load?: string): Promise<void> {
    editor = await startAcpEditor(engine, { agent, words }, load)
    const { close } = editor
    each.ends(close)
  }
  async function world(): Promise<void> {
    mock = await each.mock({ auxiliary: 'may-script' })
    mock.otherwise = say(answer)
    const { provider } = agent
    engine = await each.engine({
      config: {
        providers: {
          mock: mockProvider(mock, { type: provider }),
        },
      },
    })
    await open()
  }
  /** Gemini CLI says more before a first message. */
  const lastLine = (text: string | null) => text?.trim().split('\n').at(-1)
  const asked = () => mock.turns().map(({ lastUserText }) => lastLine(lastUserText))
  const session = () => engine.control.session(({ client }) => client === agent.client)
  /** the model's answer to this waits */
  function holds(text: string): Gate {
    const until = gate()
    mock.script(({ auxiliary, lastUserText }) =>
      auxiliary === null && lastLine(lastUserText) === text ? say(answer, { hold: { at: 'head', until } }) : undefined,
    )
    return until
  }
  const until = (text: string, times = 1) =>
    waitFor(`${times} × ${text}`, () => asked().filter((one) => one === text).length === times, 60_000)
  const done = () => engine.control.event('done', undefined, 60_000)

  describe('with an editor', unless(firstOf(notOnLinux, agentMissing(agent))), () => {
    it('goes on for three rounds, in sight of its person, and rings at a set time', async () => {
      await world()
      expect(await editor.prompt(task)).toMatchObject({ stopReason: 'end_turn' })
      await done()
      const { id } = await session()
      await engine.control.api.addAlarm.mutate({ session: id, dueAt: Date.now() + 200, task: 'Look at CI.' })
      await engine.control.event('alarm-delivered', undefined, 60_000)
      await waitFor('the last answer', () => editor.shown.length === 9, 60_000)
      await nothingMore(mock, engine)
      expect(asked().slice(0, 4)).toEqual(['Write all parts.', ...rounds])
      expect(asked()).toHaveLength(5)
      expect(editor.shown.filter(({ who }) => who === 'user').map(({ text }) => text)).toEqual([
        ...rounds,
        expect.stringContaining('Look at CI.'),
      ])
      expect(editor.shown.filter(({ who }) => who === 'agent').map(({ text }) => text)).toEqual(
        Array.from({ length: 5 }, () => answer),
      )
      expect(mock.problems).toEqual([])
      const { out } = await onward(['terminals', '--home', engine.home])
      expect(out).toContain('editor (ACP)')
    })

    if (doesAll(agent)) {
      it('lets the person speak first, and waits while it asks them, and after they stopped it', async () => {
        await world()
        await editor.prompt('Write all parts.')
        const { id } = await session()
        const { api } = engine.control

        const atWork = holds('Look at the first part.')
        await api.say.mutate({ session: id, text: 'Look at the first part.' })
        await until('Look at the first part.')
        const mine = editor.prompt('And mine.')
        await api.say.mutate({ session: id, text: 'Then the second.' })
        atWork.open()
        await mine
        await until('Then the second.')
        expect(asked().slice(1)).toEqual(['Look at the first part.', 'And mine.', 'Then the second.'])

        const file = join(editor.cwd, 'asked')
        if (agent.dialog) {
          mock.script(({ auxiliary, lastUserText }) =>
            auxiliary === null && lastLine(lastUserText) === 'Make the file.' ? agent.dialog?.reply(file) : undefined,
          )
          const making = editor.prompt('Make the file.')
          await waitFor('its question', () => editor.asks() !== null, 60_000)
          const waits = await api.say.mutate({ session: id, text: 'Read the file.' })
          await heldFor(engine.control, waits.id, 'dialog-open')
          const shown = await engine.control.session(({ say: now }) => now.code === 'needs-you')
          expect(shown.say).toMatchObject({ asked: { choices: expect.arrayContaining([]) } })
          expect(existsSync(file)).toBe(false)
          editor.allow()
          await making
          expect(existsSync(file)).toBe(true)
          await until('Read the file.')
        }

        holds('Take your time.')
        const slow = editor.prompt('Take your time.')
        await until('Take your time.')
        await editor.cancel()
        expect(await slow).toMatchObject({ stopReason: 'cancelled' })
        const stopped = await api.say.mutate({ session: id, text: 'Go on.' })
        await heldFor(engine.control, stopped.id, 'stopped')
        await editor.prompt('I am back.')
        await until('Go on.')
        await nothingMore(mock, engine)
        expect(asked().slice(-3)).toEqual(['Take your time.', 'I am back.', 'Go on.'])
      })

      it('says word for word what a program names, and has its receipt', async () => {
        await world()
        await editor.prompt('Write all parts.')
        const { id } = await session()
        const program = await startMcp(engine.home)
        each.ends(() => program.dispose())
        const text = 'See @src/x.ts and ./README.md first.'
        const said = await program.call('say', { session: id, text })
        await engine.control.event('confirmed', ({ entryId }) => entryId === said.facts.id, 60_000)
        // The receipt comes with the request, before its provider has it.
        await until(text)
        expect(asked()).toEqual(['Write all parts.', text])
        expect(editor.shown).toContainEqual({ who: 'user', text })
      })

      it('keeps what belongs to one conversation for it, while the person is in another', async () => {
        await world()
        await editor.prompt('Write all the parts of the long story of the sea.')
        const { id } = await session()
        const other = await editor.another()
        const { api } = engine.control
        await api.say.mutate({ session: id, text: 'Nobody has spoken there yet.' })
        await until('Nobody has spoken there yet.')
        mock.otherwise = say('The sum of the numbers is forty-two, as it should be.')
        await editor.prompt('Add all the numbers in the table of the year.', other)
        const waits = await api.say.mutate({ session: id, text: 'Write the next chapter.' })
        await heldFor(engine.control, waits.id, 'other-conversation')
        mock.otherwise = say(answer)
        await editor.prompt('Here I am again.')
        await until('Write the next chapter.')
        await nothingMore(mock, engine)
        expect(asked()).toEqual([
          'Write all the parts of the long story of the sea.',
          'Nobody has spoken there yet.',
          'Add all the numbers in the table of the year.',
          'Here I am again.',
          'Write the next chapter.',
        ])
      })

      it('goes on once after its provider failed', async () => {
        await world()
        let broken: boolean | null = null
        mock.script(({ auxiliary, lastUserText }) => {
          broken ??= auxiliary === null && lastLine(lastUserText) === next ? true : null
          return broken ? halfAnAnswer : undefined
        })
        await editor.prompt(task)
        await engine.control.event('recover-waits', undefined, 120_000)
        broken = false
        await engine.control.api.testProvider.mutate('mock')
        await done()
        await nothingMore(mock, engine)
        // without the agent's own tries
        const ours = asked().filter((text) => text === next || text === recoverText)
        expect(ours.filter((text, at, texts) => text !== texts[at - 1])).toEqual([next, recoverText, next])
        expect(ours.filter((text) => text === recoverText)).toHaveLength(1)
      })
    }

    // Gemini CLI waits for minutes before it asks the next engine.
    const killed = { bridge: doesAll(agent), engine: agent.client === 'opencode' }
    it.each((['bridge', 'engine'] as const).filter((which) => killed[which]))(
      'says nothing a second time after kill -9 of the %s',
      async (which) => {
        await world()
        const working = holds(next)
        await editor.prompt(task)
        const first = await queuedRound(engine.control, 1)
        await engine.control.event('typed', ({ entryId }) => entryId === first)
        if (which === 'engine') {
          await engine.kill()
          engine = each.running(await engine.restart())
          working.open()
        } else {
          editor.kill()
          working.open()
          await waitFor('the agent to end', () => agentsIn(editor.cwd, engine.home).length === 0, 30_000)
          await open(agent.client === 'gemini' ? undefined : editor.sessionId)
          await editor.prompt('Where were we?')
        }
        await atRest(engine)
        const typed = engine.control.events.flatMap(({ body }) => (body.type === 'typed' ? [body.entryId] : []))
        expect(typed.filter((one) => one === first).length).toBeLessThanOrEqual(1)
        expect(asked().filter((text) => text === next).length).toBeLessThanOrEqual(3)
      },
    )
  })

  if (agent.client === 'opencode')
    describe('in the dashboard', unless(firstOf(notOnLinux, agentMissing(agent), noBrowser)), () => {
      it('is shown as what it is', async () => {
        await world()
        const page = await each.page(await engine.dashboard())
        await page.getByText('editor (ACP)').waitFor()
        await editor.prompt('Write all parts.')
        await session()
        await page.getByText('editor (ACP)').waitFor()
      })
    })
})
