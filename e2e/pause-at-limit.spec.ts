import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { waitFor } from '../shared/testing/wait-for.ts'
import { unless } from '../shared/testing/unless.ts'
import { mockProvider, bodyOf, chatEntry } from './support/entries.ts'
import { removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { call } from './support/post.ts'
import { onward } from './support/onward-cli.ts'
import { startTmux, tmuxMissing, type TestTmux } from './support/tmux.ts'
import { startTurnAgent, type TurnAgent } from './support/turn-agents.ts'

/** A ChatGPT plan's five hours (codex-rs). */
const told = (percent: number, at: number) => ({
  headers: {
    'x-codex-primary-used-percent': String(percent),
    'x-codex-primary-window-minutes': '300',
    'x-codex-primary-reset-at': String(at / 1000),
  },
})

const inSeconds = (seconds: number) => Math.ceil(Date.now() / 1000 + seconds) * 1000

describe('a client without a terminal near its provider’s limit', () => {
  let mock: MockUpstream
  let engine: EngineProcess

  afterEach(async () => {
    await engine.stop()
    await mock.dispose()
  })
  afterAll(removeHomes)

  const start = async () => {
    mock = await startMockUpstream()
    engine = await startEngine({
      config: {
        stopMessage: { settleMs: 100, delivery: 'reenter' },
        limits: { pauseAt: 90 },
        providers: { plan: mockProvider(mock) },
      },
    })
  }
  const ask = (session: string, stream: boolean) =>
    call(
      { baseUrl: engine.baseUrl, key: 'any' },
      '/v1/chat/completions',
      bodyOf(chatEntry, ['Begin. <**stopMessage:"go on",1**>'], { model: 'mock-model', stream }),
      { headers: { 'x-session-id': session } },
    )
  const row = (session: string) => engine.control.session((s) => s.id === session && s.say.code === 'held')

  it('gets the rest of its stream after the reset', async () => {
    await start()
    let reset = 0
    mock.script((request) => {
      if (request.lastUserText?.includes('go on')) return say('Two.', told(2, inSeconds(18_000)))
      reset = inSeconds(8)
      return say('One.', told(93, reset))
    })
    const { answer } = ask('streams', true)
    expect(await row('streams')).toMatchObject({
      shape: 'held',
      say: { reason: { code: 'near-limit', provider: 'plan', window: '5h', usedPercent: 93 } },
    })
    expect(mock.turns()).toHaveLength(1)
    const { whole, body } = await answer
    expect(Date.now()).toBeGreaterThanOrEqual(reset)
    expect([whole, /One\.[^]*Two\./.test(body.toString())]).toEqual([true, true])
    expect(mock.turns()).toHaveLength(2)
    expect(mock.problems).toEqual([])
  })

  it('gets no more of its stream where its person pauses it meanwhile', async () => {
    await start()
    mock.script(() => say('The first part.', told(93, inSeconds(8))))
    const { answer } = ask('paused', true)
    await row('paused')
    await engine.control.api.pause.mutate(null)
    expect((await answer).whole).toBe(true)
    expect(mock.turns()).toHaveLength(1)
  })

  it('has its answer in one body at once, and its row says until when nothing follows', async () => {
    await start()
    mock.otherwise = say('The first part.', told(93, inSeconds(3_600)))
    const { status, body } = await ask('whole', false).answer
    expect([status, body.toString().includes('The first part.')]).toEqual([200, true])
    expect(await row('whole')).toMatchObject({ say: { reason: { code: 'near-limit', usedPercent: 93 } } })
    const skipped = await engine.control.event('skipped')
    expect(skipped.body).toMatchObject({ reason: { code: 'near-limit', provider: 'plan' } })
    expect(mock.turns()).toHaveLength(1)
  })
})

describe('a session near its provider’s limit', unless(tmuxMissing), () => {
  let mock: MockUpstream
  let engine: EngineProcess
  let tmux: TestTmux
  let agent: TurnAgent

  afterEach(async () => {
    agent.end()
    tmux.dispose()
    await engine.stop()
    await mock.dispose()
  })
  afterAll(removeHomes)

  it('goes on once at the reset, by the next engine as well, and its person is not kept back', async () => {
    mock = await startMockUpstream()
    mock.otherwise = say('The part is done.')
    engine = await startEngine({
      config: { stopMessage: { settleMs: 100 }, limits: { pauseAt: 90 }, providers: { plan: mockProvider(mock) } },
    })
    tmux = startTmux()
    agent = await startTurnAgent({ home: 'hosted', engine, tmux, name: 'near', patience: 2 })
    await agent.say(engine, 'begin')
    await waitFor('the first answer', () => agent.idle())
    mock.otherwise = say('The part is done.', told(93, inSeconds(3_600)))
    await engine.control.api.setStopMessage.mutate({ session: agent.session, text: 'go on', rounds: 1, now: false })
    await agent.say(engine, 'the next part')
    const held = await engine.control.session((s) => s.say.code === 'held' && s.say.reason.code === 'near-limit')
    expect(held).toMatchObject({ shape: 'held', say: { reason: { provider: 'plan', window: '5h', usedPercent: 93 } } })
    const run = await onward(['status', '--home', engine.home])
    expect(run.out).toMatch(/Near a limit +.*Held until \d\d:\d\d: 93% of plan’s limit “5h” are used/)

    const reset = inSeconds(6)
    mock.otherwise = say('The part is done.', told(94, reset))
    await agent.say(engine, 'my own words')
    await engine.control.session(
      ({ say }) => say.code === 'held' && say.reason.code === 'near-limit' && say.reason.usedPercent === 94,
    )
    expect(agent.submits()).toEqual(['begin', 'the next part', 'my own words'])
    mock.otherwise = say('The part is done.', told(2, inSeconds(18_000)))
    await engine.kill()
    engine = await engine.restart()
    await waitFor('the round', () => agent.submits().includes('go on') && agent.idle())
    expect(Date.now()).toBeGreaterThanOrEqual(reset)
    await engine.control.event('done')
    await nothingMore(mock, engine)
    expect(agent.submits()).toEqual(['begin', 'the next part', 'my own words', 'go on'])
    expect(mock.problems).toEqual([])
  })
})
