import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { waitFor } from '../shared/testing/wait-for.ts'
import { unless } from '../shared/testing/unless.ts'
import { removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { fail, gate, say, startMockUpstream, type MockReply, type MockUpstream } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { onward } from './support/onward-cli.ts'
import { startTmux, tmuxMissing, type TestTmux } from './support/tmux.ts'
import { mockProvider } from './support/entries.ts'
import { homes, startTurnAgent, type TerminalHome, type TurnAgent } from './support/turn-agents.ts'

const text = 'Continue where you left off.'

describe('a session whose provider fails', unless(tmuxMissing), () => {
  let mock: MockUpstream
  let engine: EngineProcess
  let tmux: TestTmux
  let agent: TurnAgent

  const start = async (home: TerminalHome, timeouts: { idleMs?: number } = {}) => {
    mock = await startMockUpstream()
    mock.otherwise = say('The part is done.')
    const provider = mockProvider(mock, {
      type: home === 'pane' ? 'openai-responses' : 'openai-chat',
      models: { 'mock-model': { timeouts } },
    })
    engine = await startEngine({ config: { stopMessage: { settleMs: 100 }, providers: { plan: provider } } })
    tmux = startTmux()
    agent = await startTurnAgent({ home, engine, tmux, name: 'failing', patience: 2 })
    await agent.say(engine, 'begin')
    await waitFor('the first answer', () => agent.idle())
  }
  const session = () => engine.control.sessions.get(agent.session)
  const arm = () =>
    engine.control.api.setStopMessage.mutate({ session: agent.session, text: 'go on', rounds: 2, now: false })
  const breakDown = async (reply: MockReply = fail(529)) => {
    mock.script(() => reply)
    await agent.say(engine, 'do the next part')
    await waitFor('the agent to give up', () => agent.notes().some((n) => n.type === 'gave-up'))
    await engine.control.event('recover-waits')
  }
  /** whoever calls the provider next shows that it is back */
  const comeBack = async () => {
    mock.script(() => undefined)
    await engine.control.api.testProvider.mutate('plan')
  }
  const cli = async (...words: string[]) => {
    const run = await onward([...words, '--home', engine.home])
    expect(run).toMatchObject({ code: 0, err: '' })
    return run.out
  }

  afterEach(async () => {
    agent.end()
    tmux.dispose()
    await engine.stop()
    await mock.dispose()
  })
  afterAll(removeHomes)

  it.each(homes)('goes on once when it answers again, and then its goal does (%s)', async (home) => {
    await start(home)
    await arm()
    await breakDown()
    const waits = await engine.control.session((s) => s.say.code === 'turn-failed')
    expect(waits).toMatchObject({
      shape: 'held',
      recovers: true,
      say: { goesOn: { targets: ['plan.mock-model'], tryAt: null, tries: 0 } },
      stopMessage: { used: 0 },
    })
    expect(await cli('sessions')).toContain('Goes on by itself when plan answers')
    await comeBack()
    await waitFor('both rounds', () => agent.submits().filter((one) => one === 'go on').length === 2 && agent.idle())
    await engine.control.event('done')
    await nothingMore(mock, engine)
    expect(agent.submits()).toEqual(['begin', 'do the next part', text, 'go on', 'go on'])
    expect(mock.problems).toEqual([])
  })

  it.each<[string, MockReply]>([
    ['its connection is reset', say('half of it', { breakOff: { after: 0, how: 'reset' } })],
    ['a cut after half of an answer', say('half of the answer to it', { breakOff: { after: 3, how: 'cut' } })],
    ['silence in the middle of an answer', say('half of the answer to it', { hold: { at: 3, until: gate() } })],
    ['it asks to go slower', fail(429)],
    ['it is out of order', fail(500)],
  ])('goes on after %s', async (what, reply) => {
    await start('hosted', what.startsWith('silence') ? { idleMs: 400 } : {})
    await cli('recover', 'on', agent.session)
    await breakDown(reply)
    await comeBack()
    await waitFor('the text', () => agent.submits().includes(text) && agent.idle())
    await nothingMore(mock, engine)
    expect(agent.submits()).toEqual(['begin', 'do the next part', text])
  })

  it.each<[string, MockReply]>([
    ['a wrong request', fail(400)],
    ['a key that is not taken', fail(401)],
    ['a key that may not', fail(403)],
    ['a model that is not there', fail(404)],
    ['a refusal', say('I can’t help with that.', { finish: 'refusal' })],
  ])('is left alone after %s', async (_, reply) => {
    await start('hosted')
    await arm()
    mock.script(() => reply)
    await agent.say(engine, 'do the next part')
    await waitFor('its end', () => agent.submits().length === 2 && agent.idle())
    await engine.control.event('turn-ended', (body) => body.finish !== 'stop')
    await comeBack()
    await nothingMore(mock, engine)
    expect(agent.submits()).toEqual(['begin', 'do the next part'])
    expect(engine.control.events.filter(({ body }) => body.type === 'recover-waits')).toEqual([])
  })

  it('is left alone when a person goes on, or switches it off, before that', async () => {
    await start('hosted')
    await arm()
    await breakDown()
    mock.script(() => undefined)
    await engine.control.api.clearStopMessage.mutate(agent.session)
    await agent.say(engine, 'my own words')
    await waitFor('its answer', () => agent.idle())
    await comeBack()
    await nothingMore(mock, engine)
    expect(agent.submits()).toEqual(['begin', 'do the next part', 'my own words'])
    await arm()
    await cli('recover', 'off', agent.session)
    mock.script(() => fail(529))
    await agent.say(engine, 'do one more')
    await waitFor('the agent to give up', () => agent.notes().filter((n) => n.type === 'gave-up').length === 2)
    await engine.control.session((s) => s.say.code === 'turn-failed' && s.shape === 'failed')
    await comeBack()
    await nothingMore(mock, engine)
    expect(agent.submits()).not.toContain(text)
  })

  it('waits while it is paused, and is continued by the next engine', async () => {
    await start('hosted')
    await arm()
    await breakDown()
    await cli('pause', agent.session)
    await comeBack()
    await nothingMore(mock, engine)
    await engine.kill()
    engine = await engine.restart()
    expect(agent.submits()).not.toContain(text)
    await cli('resume', agent.session)
    await comeBack()
    await waitFor('the rounds', () => agent.submits().filter((one) => one === 'go on').length === 2 && agent.idle())
    expect(agent.submits().filter((one) => one === text)).toHaveLength(1)
    expect(session()?.shape).not.toBe('failed')
  })
})
