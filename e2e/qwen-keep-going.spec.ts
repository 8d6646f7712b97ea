import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { nothingMore } from './support/nothing-more.ts'
import { startQwen } from './support/qwen.ts'
import { tmuxMissing } from './support/tmux.ts'
import { everything } from '../shared/testing/runs.ts'
import { unless } from '../shared/testing/unless.ts'

const rounds = everything ? 50 : 5
const followup = 'carry on with the next part'

describe('a real Qwen Code is kept going', unless(tmuxMissing), () => {
  const world = codexWorld({ type: 'openai-chat' })

  it.each(
    (
      [
        ['hosted', 'yolo'],
        ['wrapped', 'auto-edit'],
        ['pane', 'default'],
      ] as const
    ).slice(0, everything ? 3 : 1),
  )('though it asks for a suggestion and for what to remember after each stop (%s, %s mode)', async (how, mode) => {
    const { mock, engine, tmux } = world
    const qwen = await startQwen({ engine, tmux, how, args: ['--approval-mode', mode] })
    await qwen.say(`Write the parts. <**stopMessage:"${followup}",${rounds}**>`)
    const session = await engine.control.session((s) => s.shape === 'done' || s.shape === 'failed', 180_000)
    expect(session.stopMessage).toMatchObject({
      used: rounds,
      status: { kind: 'done', reason: { code: 'rounds-used' } },
    })
    await nothingMore(mock, engine)
    // its first message begins with what it tells a model of the folder
    expect(mock.turns().map(({ lastUserText }) => lastUserText?.trim().split('\n').at(-1))).toEqual([
      'Write the parts.',
      ...Array<string>(rounds).fill(followup),
    ])
    for (const request of mock.requests) expect(request.body.toString()).not.toContain('<**')
    expect(mock.problems).toEqual([])
    qwen.dispose()
  })
})
