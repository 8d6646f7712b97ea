import { describe, expect, it } from 'vitest'
import type { ClientKind } from '../../../../shared/words.ts'
import { safeFor } from '../safe-text.ts'
import { eachBench } from './testing/each-bench.ts'

const b = eachBench()
const at = async (client: ClientKind) => {
  await b.open({ client, safeText: safeFor })
  await b.turn('hello')
}
const byModel = (text: string) =>
  b.outbox.add({ sessionId: 's1', text, source: 'stopMessage', writtenBy: 'model', round: 1 })
const typed = () => b.bench.target().typed.map(({ text }) => text)

const words = 'Ask a@b.c, then look at @README.md once more'
const plain = 'Ask a@b.c, then look at \\@README.md once more'

describe('who wrote a followup', () => {
  it('decides how it is typed: what a model names is not opened, and the timeline says so', async () => {
    await at('qwen')
    expect((await byModel(words)).text).toBe(plain)
    expect(b.bench.story()).toEqual(['queued', 'mentions-escaped'])
    await b.afterSettle()
    expect(typed()).toEqual([plain])
  })

  it('changes nothing about its receipt: it is the turn that carries what was typed', async () => {
    await at('claude')
    await byModel(words)
    await b.afterSettle()
    await b.turn(plain)
    expect(b.news).toContain(`confirmed ${plain}`)
    expect(b.states()).toEqual(['confirmed'])
  })

  it('leaves a person’s words as they are', async () => {
    await at('qwen')
    const { id } = await b.add(words)
    await b.outbox.edit(id, 0, `${words} and @b.md too`)
    await b.afterSettle()
    expect(typed()).toEqual([`${words} and @b.md too`])
    expect(b.bench.story()).not.toContain('mentions-escaped')
  })

  it('is the person, once they edited it', async () => {
    await at('qwen')
    const { id } = await byModel(words)
    await b.outbox.edit(id, 0, words)
    await b.afterSettle()
    expect(typed()).toEqual([words])
  })

  it('is kept with it over a restart', async () => {
    await at('qwen')
    await b.outbox.pause({ code: 'by-user' })
    await byModel(words)
    const { disk, targets, clock } = b.bench
    b.bench.outboxes.dispose()
    // in its place an agent that takes more for a path
    await b.open({ client: 'gemini', safeText: safeFor, disk, targets, clock })
    await b.outbox.resume()
    await b.afterSettle()
    expect(typed()).toEqual(['Ask a\\@b.c, then look at \\@README.md once more'])
  })

  it('is not told where the agent would open nothing', async () => {
    await at('opencode')
    await byModel(words)
    await b.afterSettle()
    expect(typed()).toEqual([words])
    expect(b.bench.story()).not.toContain('mentions-escaped')
  })
})
