import { describe, expect, it } from 'vitest'
import { eachBench } from './testing/each-bench.ts'

const b = eachBench()
const { add, afterSettle, holds, states, turn } = b

describe('Enter that is owed', () => {
  const owe = async () => {
    b.bench.target().answer = () => ({ kind: 'enter-owed', reason: { code: 'dialog-open' }, shown: true })
    const entry = await add('go on', 'stopMessage')
    b.bench.target().reading = { kind: 'ready', bracketedPaste: true }
    // the dialog that came between text and Enter is still there
    const original = b.bench.target().answer
    b.bench.target().answer = (...args) => {
      b.bench.target().reading = { kind: 'hold', reason: { code: 'dialog-open' } }
      return original(...args)
    }
    await afterSettle()
    b.bench.target().answer = () => ({ kind: 'submitted', extraEnter: false })
    return entry
  }
  it('is pressed when the composer still holds the text; the text is never typed again', async () => {
    const entry = await owe()
    expect(b.outbox.list()[0]).toMatchObject({ state: 'queued', hold: { code: 'dialog-open' } })
    b.bench.target().reading = { kind: 'composer-holds', text: ' go  on ' }
    await b.bench.clock.advance(b.bench.settings.checkAgainMs)
    expect(states()).toEqual(['submitted'])
    expect(b.bench.target().typed).toHaveLength(1)
    expect(b.bench.target().enters).toEqual([entry.id])
  })
  it('is not pressed on another text', async () => {
    await owe()
    b.bench.target().reading = { kind: 'composer-holds', text: 'go on, but first' }
    await b.bench.clock.advance(b.bench.settings.checkAgainMs)
    expect(holds()).toEqual(['draft'])
    expect(b.bench.target().enters).toEqual([])
  })
  it('stays owed when pressing it was held', async () => {
    await owe()
    b.bench.target().reading = { kind: 'composer-holds', text: null }
    b.bench.target().answer = () => ({ kind: 'held', reason: { code: 'agent-busy' } })
    await b.bench.clock.advance(b.bench.settings.checkAgainMs)
    b.bench.target().answer = () => ({ kind: 'submitted', extraEnter: false })
    await b.bench.clock.advance(b.bench.settings.checkAgainMs)
    expect(b.bench.target().typed).toHaveLength(1)
    expect(b.bench.target().enters).toHaveLength(2)
    expect(states()).toEqual(['submitted'])
  })
  it('was taken out by the person when the composer is empty and no turn came: it is typed again', async () => {
    await owe()
    b.bench.target().reading = { kind: 'ready', bracketedPaste: true }
    await b.bench.clock.advance(b.bench.settings.checkAgainMs + b.bench.settings.sentMs)
    expect(b.bench.target().enters).toEqual([])
    expect(b.bench.target().typed.map(({ again }) => again ?? false)).toEqual([false, true])
    expect(states()).toEqual(['submitted'])
    expect(b.bench.story()).toEqual(['queued', 'typed', 'text-removed', 'typed', 'submitted'])
  })
  it('is proved by the person who pressed it', async () => {
    await owe()
    await turn('go on')
    expect(states()).toEqual(['confirmed'])
    expect(b.news).toEqual(['submitted go on', 'confirmed go on', 'main turn ours'])
  })
  it('cannot be edited any more, but cancelled', async () => {
    const entry = await owe()
    await expect(b.outbox.edit(entry.id, 0, 'x')).rejects.toMatchObject({ code: 'entry-under-way' })
    await b.outbox.cancel(entry.id)
    expect(states()).toEqual(['cancelled'])
  })
})
