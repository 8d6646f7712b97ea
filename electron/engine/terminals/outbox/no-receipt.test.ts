import { describe, expect, it } from 'vitest'
import type { TypeResult } from '../types.ts'
import { settle } from './testing/bench.ts'
import { eachBench } from './testing/each-bench.ts'

const b = eachBench()
const { add, afterSettle, begin, states, turn } = b

describe('a receipt that does not come', () => {
  it('fails after a minute, and only time without a request in flight counts', async () => {
    await add('go on')
    await afterSettle()
    await b.bench.clock.advance(30_000)
    const title = await begin('title please', 's1', { kind: 'title', hasNewMainTurn: false })
    await b.bench.clock.advance(600_000)
    expect(states()).toEqual(['submitted'])
    b.outbox.requestEnded(title)
    await b.bench.clock.advance(29_999)
    expect(states()).toEqual(['submitted'])
    await b.bench.clock.advance(1)
    expect(b.outbox.list()[0]).toMatchObject({ state: 'failed', fail: { code: 'not-received' } })
    expect(b.news).toEqual(['submitted go on', 'failed go on not-received'])
  })
  it('is waited for only when what the agent asked for beside it has ended', async () => {
    let side = ''
    b.bench.target().answer = async () => {
      side = await begin('what comes next?', 's1', { kind: 'probe', hasNewMainTurn: false })
      return { kind: 'submitted', extraEnter: false }
    }
    await add('go on')
    await afterSettle()
    await b.bench.clock.advance(600_000)
    expect(states()).toEqual(['submitted'])
    b.outbox.requestEnded(side)
    await b.bench.clock.advance(59_999)
    expect(states()).toEqual(['submitted'])
    await b.bench.clock.advance(1)
    expect(states()).toEqual(['failed'])
  })
  it('may still come late, and counts the submit once', async () => {
    await add('go on')
    await afterSettle()
    await b.bench.clock.advance(b.bench.settings.receiptMs)
    b.news = []
    await turn('go on')
    expect(b.news).toEqual(['confirmed go on late', 'main turn ours'])
    expect(b.bench.events.at(-1)).toMatchObject({ type: 'confirmed', late: true, afterMs: 60_000 })
  })
  it('proves an entry of unknown fate, submit included', async () => {
    b.bench.target().answer = () => ({ kind: 'unknown' })
    await add('go on')
    await afterSettle()
    expect(states()).toEqual(['unknown'])
    await turn('go on')
    expect(b.news).toEqual(['submitted go on', 'confirmed go on late', 'main turn ours'])
  })
  it('is told once for an entry of unknown fate, which stays unknown', async () => {
    b.bench.target().answer = () => ({ kind: 'unknown' })
    await add('go on')
    await afterSettle()
    await b.bench.clock.advance(600_000)
    expect(states()).toEqual(['unknown'])
    expect(b.news).toEqual(['unconfirmed go on'])
  })
  it.each([
    ['a retry or tool round', { hasNewMainTurn: false }],
    ['a sub-agent', { kind: 'subagent' as const }],
    ['a compaction', { kind: 'compaction' as const }],
  ])('does not come from %s', async (_, more) => {
    await add('go on')
    await afterSettle()
    b.outbox.requestEnded(await begin('go on', 's1', more))
    expect(states()).toEqual(['submitted'])
  })
  it('does not come twice for rounds that read alike', async () => {
    await add('go on', 'stopMessage')
    await afterSettle()
    await turn('go on')
    await add('go on', 'stopMessage')
    await afterSettle()
    b.outbox.requestEnded(await begin('go on', 's1', { hasNewMainTurn: false }))
    expect(states()).toEqual(['confirmed', 'submitted'])
    await turn('go on')
    expect(states()).toEqual(['confirmed', 'confirmed'])
  })
})

describe('a new main turn that is no receipt', () => {
  it('supersedes what would keep the agent going, not what a person or an alarm wants said', async () => {
    await b.outbox.pause({ code: 'by-user' })
    await add('go on', 'stopMessage')
    await add('by hand', 'user')
    await add('ring', 'clock')
    await turn('the person was faster')
    expect(states()).toEqual(['superseded', 'queued', 'queued'])
    expect(b.news).toEqual(['superseded go on', 'main turn by person'])
  })
  it('takes one that is being typed as soon as it comes back untyped', async () => {
    let answer: (result: TypeResult) => void = () => {}
    b.bench.target().answer = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    await add('go on', 'stopMessage')
    await afterSettle()
    await turn('the person was faster')
    answer({ kind: 'held', reason: { code: 'agent-busy' } })
    await settle(b.bench.clock)
    expect(states()).toEqual(['superseded'])
  })
})
