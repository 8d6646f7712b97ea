import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { fail, say } from './support/mock-upstream/index.ts'
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
    expect(retrying).toMatchObject({ shape: 'working', say: { provider: 'mock', status: 503 } })
    const failed = await control.session((s) => s.say.code === 'turn-failed', 120_000)
    expect(failed).toMatchObject({ id: retrying.id, shape: 'failed', say: { provider: 'mock', status: 503 } })
    await nothingMore(mock, engine)
    await codex.say('Write the other part.')
    await control.session((s) => s.id === failed.id && s.shape === 'idle' && s.say.code === 'idle')
  })
})
