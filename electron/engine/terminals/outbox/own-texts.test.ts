import { describe, expect, it } from 'vitest'
import { eachBench } from './testing/each-bench.ts'

const b = eachBench()
const { add, afterSettle, turn } = b

describe('our own texts', () => {
  it('are known whatever became of them, so that they are never read for markers', async () => {
    const entry = await add('go on')
    const look = () => b.outbox.matchReceipt('s1', ['go on', 'not ours'])
    expect(look()).toEqual({ ours: [true, false], proves: [] })
    await afterSettle()
    expect(look()).toEqual({ ours: [true, false], proves: [entry.id] })
    await turn('go on')
    expect(look()).toEqual({ ours: [true, false], proves: [] })
  })
  it('are forgotten after a week, or when fifty others came after', async () => {
    await b.outbox.pause({ code: 'by-user' })
    for (let i = 0; i < 51; i++) await b.outbox.cancel((await add(`text ${i}`)).id)
    const known = (text: string) => b.outbox.matchReceipt('s1', [text]).ours[0]
    expect([known('text 0'), known('text 1'), known('text 50')]).toEqual([false, true, true])
    await b.bench.clock.advance(b.bench.settings.keepMs + 1)
    await b.outbox.cancel((await add('later')).id)
    expect([known('text 50'), known('later')]).toEqual([false, true])
  })
})
