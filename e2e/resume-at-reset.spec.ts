import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { EventBody } from '../shared/events.ts'
import { removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { fail, say, startMockUpstream, type MockReply, type MockUpstream } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { onward } from './support/onward-cli.ts'
import { startTmux, tmuxMissing, type TestTmux } from './support/tmux.ts'
import { startTurnAgent, type TerminalHome, type TurnAgent } from './support/turn-agents.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { mockProvider } from './support/entries.ts'
import { unless } from '../shared/testing/unless.ts'

/** After the reset the engine leaves this much time to the provider's clock. */
const marginMs = 5_000

/** As ChatGPT's backend says it (codex-rs, `usage_limit_reached`). */
const planLimit = (seconds: number): MockReply =>
  fail(429, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      error: {
        type: 'usage_limit_reached',
        message: 'The usage limit has been reached',
        plan_type: 'plus',
        resets_in_seconds: seconds,
      },
    }),
  })
/** As Anthropic says it of a subscription. */
const subscriptionLimit = (seconds: number): MockReply => {
  const reset = String(Math.ceil(Date.now() / 1000) + seconds)
  return fail(429, {
    headers: {
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': reset,
      'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    },
  })
}

describe('a session at its provider’s limit', unless(tmuxMissing), () => {
  let mock: MockUpstream
  let engine: EngineProcess
  let tmux: TestTmux
  let agent: TurnAgent

  const start = async (home: TerminalHome) => {
    mock = await startMockUpstream()
    mock.otherwise = say('The part is done.')
    // Each agent's requests have their own protocol's provider only: nobody stands in for it.
    const config = {
      stopMessage: { settleMs: 100 },
      providers: { plan: mockProvider(mock, { type: home === 'pane' ? 'openai-responses' : 'openai-chat' }) },
    }
    engine = await startEngine({ config })
    tmux = startTmux()
    agent = await startTurnAgent({ home, engine, tmux, name: 'limited', patience: 2 })
    await agent.say(engine, 'begin')
    await waitFor('the first answer', () => agent.idle())
  }
  const cli = async (...words: string[]): Promise<string> => {
    const run = await onward([...words, '--home', engine.home])
    expect(run.err).toBe('')
    expect(run.code).toBe(0)
    return run.out
  }
  const session = () => engine.control.sessions.get(agent.session)
  const told = (): EventBody['type'][] =>
    engine.control.events.map((e) => e.body.type).filter((type) => /^(limit|resume)-/.test(type))
  const upstream = () => mock.turns().map((r) => r.lastUserText)
  const hitLimit = async (reply: (seconds: number) => MockReply, seconds: number) => {
    // its first try and its last one
    mock.script(() => reply(seconds))
    await agent.say(engine, 'do the next part')
    await waitFor('the agent to give up', () => agent.notes().some((n) => n.type === 'gave-up'))
    await engine.control.event('limit-reached')
    mock.script(() => undefined)
  }

  afterEach(async () => {
    agent.end()
    tmux.dispose()
    await engine.stop()
    await mock.dispose()
  })
  afterAll(removeHomes)

  it.each<[TerminalHome, string, (seconds: number) => MockReply]>([
    ['pane', 'a plan’s limit', planLimit],
    ['hosted', 'a subscription’s limit', subscriptionLimit],
    ['wrapped', 'a plan’s limit', planLimit],
  ])('goes on once when it lifts, in its terminal (%s, %s)', async (home, _what, reply) => {
    await start(home)
    expect(await cli('resume-at-reset', agent.session, 'on')).toContain('Resume at reset  on')
    await hitLimit(reply, 4)
    const limited = await engine.control.session((s) => s.limit !== undefined)
    expect(limited).toMatchObject({
      shape: 'held',
      say: { code: 'limited', provider: 'plan' },
      resumeAtReset: true,
      limit: { provider: 'plan', resume: true },
    })
    expect(limited.limit?.resumeAt).toBe((limited.limit?.lifts ?? 0) + marginMs)
    expect(await cli('status')).toMatch(/Limits +plan: reached at \S+, lifts at \S+, 1 session goes on then/)

    await waitFor('the continuation', () => agent.submits().includes('Continue.'))
    expect(Date.now()).toBeGreaterThanOrEqual(limited.limit?.resumeAt ?? Infinity)
    await waitFor('its answer', () => agent.notes().some((n) => n.type === 'answer' && n.n === 3))
    await engine.control.event('confirmed')
    await waitFor('the session without its limit', () => session()?.limit === undefined && session()?.shape === 'idle')
    expect(upstream().at(-1)).toBe('Continue.')
    expect(told()).toEqual(['resume-set', 'limit-reached'])
    await nothingMore(mock, engine)
    expect(agent.submits()).toEqual(['begin', 'do the next part', 'Continue.'])
    expect(await cli('status')).not.toContain('Limits')
    expect(mock.problems).toEqual([])
  })

  it('goes on without the switch where a followup is set, which follows then', async () => {
    await start('hosted')
    const { session: id } = agent
    await engine.control.api.setStopMessage.mutate({ session: id, text: 'go on', rounds: 1, now: false })
    await hitLimit(planLimit, 4)
    const { limit, stopMessage } = await engine.control.session((s) => s.limit !== undefined)
    expect(limit).toMatchObject({ resume: true, resumeAt: (limit?.lifts ?? 0) + marginMs })
    expect(stopMessage).toMatchObject({ used: 0 })
    await waitFor('the round', () => agent.submits().includes('go on') && agent.idle())
    await nothingMore(mock, engine)
    expect(agent.submits()).toEqual(['begin', 'do the next part', 'Continue.', 'go on'])
    expect(told()).toEqual(['limit-reached'])
  })

  it('is left alone when the person cancels before', async () => {
    await start('hosted')
    await cli('resume-at-reset', agent.session, 'on')
    await hitLimit(planLimit, 4)
    expect(await cli('resume-at-reset', agent.session, 'cancel')).toMatch(
      /Resume at reset +on[^]*Goes on +not by itself/,
    )
    await waitFor('the end of the limit', () => session()?.limit === undefined)
    await nothingMore(mock, engine)
    expect(agent.submits()).toEqual(['begin', 'do the next part'])
    expect(told()).toEqual(['resume-set', 'limit-reached', 'resume-cancelled'])
  })

  it('is continued by the next engine when this one dies before the reset', async () => {
    await start('hosted')
    await cli('resume-at-reset', agent.session, 'on')
    await hitLimit(planLimit, 4)
    await engine.kill()
    engine = await engine.restart()
    await waitFor('the continuation', () => agent.submits().includes('Continue.'))
    await waitFor('its answer', () => agent.idle())
    await nothingMore(mock, engine)
    expect(agent.submits()).toEqual(['begin', 'do the next part', 'Continue.'])
  })
})
