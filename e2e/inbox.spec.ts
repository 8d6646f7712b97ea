import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { heldFor } from './support/followups.ts'
import { nothingMore } from './support/nothing-more.ts'
import { atOnce, outboxFiles } from './support/outbox-files.ts'
import { tmuxMissing } from './support/tmux.ts'
import { unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

/** Codex's program beside the engine, by which it reaches the queue */
const appServerOf = (engine: number): Promise<number> =>
  waitFor('an app-server', () =>
    readFileSync(`/proc/${engine}/task/${engine}/children`, 'utf8')
      .split(' ')
      .map(Number)
      .find((pid) => pid > 0 && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('app-server')),
  )

describe('Codex’s own inbox', unless(tmuxMissing), () => {
  const world = codexWorld({ stopMessage: { delivery: 'inbox' } })

  /** a Codex at rest, in a conversation of this id */
  async function atRest(how: 'pane' | 'wrapped' | 'hosted') {
    const codex = await world.start({ how })
    await codex.say('Write the parts.')
    const session = (await world.mock.turn(1)).headers['session-id'] ?? ''
    await codex.ready()
    return { codex, session }
  }
  const asked = () => world.mock.turns().map((r) => r.lastUserText?.trim())
  /** the text of this scope's newest entry was handed to Codex, which has not taken it */
  async function handedOver(scope: string, entryId: string): Promise<void> {
    const files = outboxFiles(world.engine.home, world.engine.port)
    const folder = join(world.engine.home, 'sessions', `127.0.0.1_${world.engine.port}`, 'outbox')
    const isTyping = () => files.entry(scope, (e) => e.id === entryId)?.phase.state === 'typing'
    expect(await atOnce([folder], isTyping, 20_000)).toBe(true)
    const queue = join(world.engine.home, 'codex-home', 'work', '.codex', 'queue_1.sqlite-wal')
    await waitFor('the text in Codex’s queue', () => readFileSync(queue, 'latin1').includes(entryId))
  }

  it.each(['pane', 'wrapped', 'hosted'] as const)('takes texts once, and leaves a draft alone (%s)', async (how) => {
    const { mock, engine } = world
    const { control } = engine
    const { codex, session } = await atRest(how)
    await codex.draft('my own words')
    const first = await control.api.say.mutate({ session, text: 'the first' })
    const second = await control.api.say.mutate({ session, text: 'the second\nin two lines' })
    await control.event('confirmed', (body) => body.entryId === second.id, 60_000)
    await nothingMore(mock, engine)
    expect(asked()).toEqual(['Write the parts.', 'the first', 'the second\nin two lines'])
    await codex.shows('my own words')
    const told = control.events.flatMap(({ body }) => ('entryId' in body && body.entryId === first.id ? [body] : []))
    expect(told.map(({ type }) => type).filter((type) => type !== 'held')).toEqual(['queued', 'submitted', 'confirmed'])
    expect(told).toContainEqual(expect.objectContaining({ type: 'submitted', inbox: true }))
    expect(await control.session((s) => s.inbox !== undefined)).toMatchObject({ inbox: { used: true } })
    expect(mock.problems).toEqual([])
  })

  it('is away: the text waits and says so, and nothing is typed instead', async () => {
    const { mock, engine } = world
    const { control } = engine
    const { codex, session } = await atRest('pane')
    await control.session((s) => s.inbox?.used === true)
    const home = join(engine.home, 'codex-home', 'work', '.codex')
    renameSync(home, `${home}-elsewhere`)
    // no folder, so that it does not start
    writeFileSync(home, '')
    process.kill(await appServerOf(engine.pid), 'SIGKILL')
    const entry = await control.api.say.mutate({ session, text: 'wait for it' })
    const reason = await heldFor(control, entry.id, 'inbox-away')
    expect(reason).toMatchObject({ why: expect.stringContaining('app-server ended') })
    await nothingMore(mock, engine)
    expect(codex.screen()).not.toContain('wait for it')
    rmSync(home)
    renameSync(`${home}-elsewhere`, home)
    await control.event('confirmed', (body) => body.entryId === entry.id, 60_000)
    await nothingMore(mock, engine)
    expect(asked()).toEqual(['Write the parts.', 'wait for it'])
  })

  it('gives back what a person stops before the agent took it', async () => {
    const { mock, engine } = world
    const { control } = engine
    const { session } = await atRest('pane')
    const entry = await control.api.say.mutate({ session, text: 'not any more' })
    await handedOver('tmux:work', entry.id)
    await control.api.cancelEntry.mutate(entry.id)
    await control.event('cancelled', (body) => body.entryId === entry.id)
    const next = await control.api.say.mutate({ session, text: 'this instead' })
    await control.event('confirmed', (body) => body.entryId === next.id, 60_000)
    await nothingMore(mock, engine)
    expect(asked()).toEqual(['Write the parts.', 'this instead'])
  })

  it.each(['at once', 'once Codex has taken it'])(
    'has a text once where the engine is killed before its request, and started again %s',
    async (when) => {
      const { mock, engine } = world
      const { codex, session } = await atRest('pane')
      const entry = await engine.control.api.say.mutate({ session, text: 'exactly once' })
      await handedOver('tmux:work', entry.id)
      await engine.kill()
      if (when !== 'at once') await codex.shows(/› exactly once/)
      const next = await engine.restart()
      world.replace(next)
      await next.control.event('confirmed', (body) => body.entryId === entry.id, 90_000)
      await nothingMore(mock, next)
      expect(asked()).toEqual(['Write the parts.', 'exactly once'])
      expect(mock.problems).toEqual([])
    },
  )
})
