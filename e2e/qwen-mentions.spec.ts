import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { callTool, say } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { startQwen } from './support/qwen.ts'
import { tmuxMissing } from './support/tmux.ts'
import { unless } from '../shared/testing/unless.ts'

const secret = 'the-word-in-the-file'
const summary = 'Go on as @notes.md says, see (@notes.md) and\n@./notes.md, or ask a@b.c about it.'
const typed = 'Go on as \\@notes.md says, see (@notes.md) and\n\\@./notes.md, or ask a@b.c about it.'

describe('a real Qwen Code is told to go on', unless(tmuxMissing), () => {
  const world = codexWorld({ type: 'openai-chat' })

  it('by a model, and sends no file along that the model named; a person’s message sends it', async () => {
    const { mock, engine, tmux } = world
    const qwen = await startQwen({ engine, tmux, how: 'pane' })
    writeFileSync(join(qwen.cwd, 'notes.md'), `${secret}\n`)
    mock.queue(callTool('continue_execution', { summary }), say('Done.'))
    await qwen.say('Write the parts.')
    await engine.control.event('confirmed')
    await nothingMore(mock, engine)
    expect(mock.turns().at(-1)?.lastUserText).toBe(typed)
    for (const { body } of mock.requests) expect(body.toString()).not.toContain(secret)
    const bodies = engine.control.events.map(({ body }) => body)
    expect(bodies.filter(({ type }) => type === 'mentions-escaped')).toHaveLength(1)
    expect(bodies.filter(({ type }) => type === 'confirmed')).toHaveLength(1)

    // what Qwen Code does with the same words of a person, so that the silence above means something
    const before = mock.turns().length
    await qwen.say('Now see @notes.md once more')
    const asked = await mock.turn(before + 1)
    expect(asked.body.toString()).toContain(secret)
    await nothingMore(mock, engine)
  })
})
