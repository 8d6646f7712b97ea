import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { fail, say, type MockUpstream } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { tmuxMissing } from './support/tmux.ts'
import { unless } from '../shared/testing/unless.ts'

describe('a provider that fails', unless(tmuxMissing), () => {
  const world = codexWorld()

  it('the row says that Codex retries, then that its turn failed, until one ends well', async () => {
    const { mock, engine } = world
    const { control } = engine
    mock.script((turn) => (turn.auxiliary === null && turn.lastUserText?.includes('first') ? fail(503) : undefined))
    mock.otherwise = say('Written.')
    const codex = await world.start({ how: 'pane' })
    await codex.say('Write the first part.')
    const retrying = await control.session((s) => s.say.code === 'retrying', 60_000)
    expect(retrying).toMatchObject({
      shape: expect.stringMatching(/^(held|needs)$/),
      say: { provider: 'mock', status: 503 },
    })
    const failed = await control.session((s) => s.say.code === 'turn-failed', 120_000)
    expect(failed).toMatchObject({ id: retrying.id, shape: 'failed', say: { provider: 'mock', status: 503 } })
    await nothingMore(mock, engine)
    await codex.say('Write the other part.')
    await control.session((s) => s.id === failed.id && s.shape === 'idle' && s.say.code === 'idle')
  })

  it.each(['hosted', 'wrapped'] as const)('leaves a %s Codex that goes on with the next text', async (how) => {
    const { mock, engine } = world
    mock.script((turn) => (turn.auxiliary === null && turn.lastUserText?.includes('first') ? fail(500) : undefined))
    mock.otherwise = say('Written.')
    const codex = await world.start({ how })
    await codex.say('Write the first part.')
    const failed = await engine.control.session((s) => s.say.code === 'turn-failed', 120_000)
    await nothingMore(mock, engine)
    // it reports for good that it works, and its composer is empty
    await engine.control.api.say.mutate({ session: failed.id, text: 'then the other one' })
    await engine.control.session((s) => s.id === failed.id && s.say.code === 'idle', 60_000)
    expect(mock.turns().filter((turn) => turn.lastUserText?.includes('then the other one'))).toHaveLength(1)
  })

  it('is known to the next engine, though a goal is armed and a followup waits', async () => {
    const { mock, engine } = world
    mock.script((turn) => (turn.auxiliary === null && turn.lastUserText?.includes('first') ? fail(401) : undefined))
    mock.otherwise = say('Written.')
    const codex = await world.start({ how: 'hosted' })
    await codex.say('Write the first part. <**stopMessage:"go on",3**>')
    // Codex asks six times in as many seconds, and only then stops.
    await codex.shows('■ unexpected status 401')
    await codex.ready()
    await nothingMore(mock, engine)
    const failed = await engine.control.session((s) => s.say.code === 'turn-failed', 60_000)
    expect(failed).toMatchObject({ turns: 1, say: { tries: tries(mock).length } })
    expect(tries(mock).length).toBeGreaterThan(1)
    expect(engine.control.notices.filter((notice) => notice.class === 'needs-you')).toHaveLength(1)
    codex.type('a draft of the person')
    await codex.shows('a draft of the person')
    await engine.control.api.say.mutate({ session: failed.id, text: 'then the other one' })
    const held = await engine.control.session((s) => s.queue.some(({ hold }) => hold !== null))
    expect(held).toMatchObject({ shape: 'failed', say: { code: 'turn-failed', status: 401, waiting: 1 } })

    await engine.kill()
    const next = await engine.restart()
    world.replace(next)
    const known = await next.control.session((s) => s.id === failed.id)
    expect(known).toMatchObject({
      shape: 'failed',
      say: held.say,
      stopMessage: { status: { kind: 'armed' } },
    })
    expect((await next.control.api.status.query()).counts.needsYou).toBe(1)
    expect(next.control.notices).toEqual([])
  })

  it('is the same turn for an engine that comes in between two tries', async () => {
    const { mock, engine } = world
    mock.script((turn) => (turn.auxiliary === null && turn.lastUserText?.includes('first') ? fail(401) : undefined))
    const codex = await world.start({ how: 'pane' })
    await codex.say('Write the first part. <**stopMessage:"go on",3**>')
    const failed = await engine.control.session((s) => s.say.code === 'turn-failed', 60_000)
    await engine.kill()
    const next = await engine.restart()
    world.replace(next)
    await codex.shows(/■ .*(401|error sending request)/)
    await codex.ready()
    await nothingMore(mock, next)
    const known = await next.control.session((s) => s.id === failed.id)
    expect(known).toMatchObject({ turns: 1, shape: 'failed', stopMessage: { max: 3, status: { kind: 'armed' } } })
    expect(next.control.events.filter(({ body }) => body.type === 'armed')).toEqual([])
    expect(next.control.notices.filter((notice) => notice.class === 'needs-you')).toEqual([])
  })
})

/** what Codex asked for the message */
const tries = (mock: MockUpstream) =>
  mock.turns().filter((turn) => turn.auxiliary === null && turn.lastUserText?.includes('first'))
