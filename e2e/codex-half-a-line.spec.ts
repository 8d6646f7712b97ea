import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { heldFor, noticesTold, queuedRound } from './support/followups.ts'
import { gate, say } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { tmuxMissing } from './support/tmux.ts'
import { sample } from '../shared/testing/runs.ts'
import { unless } from '../shared/testing/unless.ts'

const followup = 'continue with the next item'

describe('a person is in the middle of a line', unless(tmuxMissing), () => {
  const world = codexWorld()

  // In an own PTY their keys tell; in a tmux pane what stands in the composer.
  it.each(
    sample([
      ['pane', 'draft'],
      ['wrapped', 'typing'],
      ['hosted', 'typing'],
    ] as const),
  )('the followup waits until the line is cleared, or sent and answered (%s)', async (how, reason) => {
    const { mock, engine } = world
    const { control } = engine
    const answers = [gate(), gate()] as const
    mock.queue(...answers.map((until, n) => say(`Part ${n + 1}.`, { hold: { at: 3, until } })))
    const codex = await world.start({ how })
    await codex.say(`Write the parts. <**stopMessage:"${followup}",2**>`)
    await mock.turn(1)

    await codex.draft('wait, what about')
    answers[0].open()
    const first = await queuedRound(control, 1)
    expect(await heldFor(control, first, reason)).toEqual({ code: reason })
    await control.session((s) => s.shape === 'held' && s.say.code === 'held' && s.say.reason.code === reason)
    await nothingMore(mock, engine)
    expect(codex.screen()).toContain('› wait, what about')
    codex.press('C-u')
    expect((await mock.turn(2)).lastUserText?.trim()).toBe(followup)

    await codex.draft('no, leave the second out')
    answers[1].open()
    const second = await queuedRound(control, 2)
    await heldFor(control, second, reason)
    codex.press('Enter')
    // The person went on themselves: that followup answered a stop that is over, the next one answers theirs.
    await control.event('superseded', ({ entryId }) => entryId === second)
    const session = await control.session((s) => s.shape === 'done', 60_000)
    expect(session.stopMessage).toMatchObject({ used: 2, max: 2 })
    expect(mock.turns().map((r) => r.lastUserText?.trim())).toEqual([
      'Write the parts.',
      followup,
      'no, leave the second out',
      followup,
    ])
    expect(await noticesTold(control, 1)).toEqual(['goal-reached'])
    expect(mock.problems).toEqual([])
  })
})
