import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { heldFor } from './support/followups.ts'
import { gate, say } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { tmuxMissing } from './support/tmux.ts'
import { unless } from '../shared/testing/unless.ts'

describe('what a person queues for a session', unless(tmuxMissing), () => {
  const world = codexWorld()

  it.each(['pane', 'hosted'] as const)('is edited, cancelled, sent in order, each once (%s)', async (how) => {
    const { mock, engine } = world
    const { control } = engine
    const writing = gate()
    mock.queue(say('Part one.', { hold: { at: 3, until: writing } }))
    const codex = await world.start({ how })
    await codex.say('Write the parts.')
    const session = (await mock.turn(1)).headers['session-id'] ?? ''
    const [first, second, third] = [
      await control.api.say.mutate({ session, text: 'the first' }),
      await control.api.say.mutate({ session, text: 'the second' }),
      await control.api.say.mutate({ session, text: 'the third\nin two lines' }),
    ]
    await heldFor(control, first.id, 'response-running')
    await heldFor(control, second.id, 'behind')
    await control.api.editEntry.mutate({ entryId: first.id, revision: first.revision, text: 'the first, but better' })
    await expect(
      control.api.editEntry.mutate({ entryId: first.id, revision: first.revision, text: 'from another window' }),
    ).rejects.toThrow('was changed in the meantime')
    await control.api.cancelEntry.mutate(second.id)
    writing.open()

    await control.event('confirmed', (body) => body.entryId === third.id, 60_000)
    await nothingMore(mock, engine)
    expect(mock.turns().map((r) => r.lastUserText?.trim())).toEqual([
      'Write the parts.',
      'the first, but better',
      'the third\nin two lines',
    ])
    await expect(control.api.cancelEntry.mutate(third.id)).rejects.toThrow('not waiting any more')
    expect(await control.session((s) => s.shape === 'idle')).toMatchObject({
      id: session,
      queue: [],
      stopMessage: null,
    })
    expect(mock.problems).toEqual([])
  })
})
