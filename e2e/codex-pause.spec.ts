import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { heldFor, noticesTold, queuedRound } from './support/followups.ts'
import { gate, say } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { tmuxMissing } from './support/tmux.ts'
import { unless } from '../shared/testing/unless.ts'

const followup = 'continue with the next item'

describe('a person pauses', unless(tmuxMissing), () => {
  const world = codexWorld()

  it('one session in the middle of a round, then all while a followup waits; each goes on when resumed', async () => {
    const { mock, engine } = world
    const { control } = engine
    const answers = [gate(), gate()] as const
    mock.queue(...answers.map((until, n) => say(`Part ${n + 1}.`, { hold: { at: 3, until } })))
    const codex = await world.start({ how: 'pane' })
    await codex.say(`Write the parts. <**stopMessage:"${followup}",2**>`)
    await mock.turn(1)
    const { id } = await control.session((s) => s.stopMessage !== null)
    await control.api.pause.mutate(id)
    answers[0].open()
    await control.event('skipped', ({ reason }) => reason.code === 'paused' && reason.by === 'session')
    await control.session((s) => s.shape === 'paused')
    await nothingMore(mock, engine)
    await control.api.resume.mutate(id)
    expect((await mock.turn(2)).lastUserText?.trim()).toBe(followup)

    await codex.draft('let me look')
    answers[1].open()
    const entryId = await queuedRound(control, 2)
    await heldFor(control, entryId, 'draft')
    await control.api.pause.mutate(null)
    codex.press('C-u')
    expect(await heldFor(control, entryId, 'paused')).toEqual({ code: 'paused', by: 'global' })
    await nothingMore(mock, engine)
    expect(mock.turns()).toHaveLength(2)
    await control.api.resume.mutate(null)
    const session = await control.session((s) => s.shape === 'done', 60_000)
    expect(session.stopMessage).toMatchObject({ used: 2, max: 2 })
    expect(mock.turns().map((r) => r.lastUserText?.trim())).toEqual(['Write the parts.', followup, followup])
    expect(await noticesTold(control, 1)).toEqual(['goal-reached'])
    expect(mock.problems).toEqual([])
  })
})

describe('an unbounded goal', unless(tmuxMissing), () => {
  const world = codexWorld({ stopMessage: { budgets: { rounds: 2 } } })

  it('asks when its rounds are spent, and goes on at a word', async () => {
    const { mock, engine } = world
    const { control } = engine
    const codex = await world.start({ how: 'hosted' })
    await codex.say(`Write it all. <**sm:"${followup}",ai:off**>`)
    const asking = await control.session((s) => s.shape === 'needs', 60_000)
    expect(asking).toMatchObject({
      stopMessage: {
        used: 2,
        max: null,
        status: { kind: 'paused', reason: { code: 'budget', budget: 'rounds', limit: 2 } },
      },
    })
    await nothingMore(mock, engine)
    expect(mock.turns()).toHaveLength(3)
    expect(await noticesTold(control, 1)).toEqual(['budget'])

    await control.api.resume.mutate(asking.id)
    await control.session((s) => s.shape === 'needs' && s.stopMessage?.used === 4, 60_000)
    expect(await noticesTold(control, 2)).toEqual(['budget', 'budget'])
    await nothingMore(mock, engine)
    expect(mock.turns().map((r) => r.lastUserText?.trim())).toEqual([
      'Write it all.',
      ...Array<string>(4).fill(followup),
    ])
    expect(mock.problems).toEqual([])
  })
})
