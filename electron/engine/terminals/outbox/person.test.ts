import { describe, expect, it } from 'vitest'
import type { TypeControl } from '../types.ts'
import { settle } from './testing/bench.ts'
import { eachBench } from './testing/each-bench.ts'

const b = eachBench()
const { add, afterSettle, begin, holds, open, states } = b

describe('what a person does', () => {
  it('edits by revision, reorders, cancels, sends now', async () => {
    const request = await begin('work')
    const [one, two, three] = [await add('one'), await add('two'), await add('three')]
    expect(await b.outbox.edit(one.id, 0, 'uno')).toMatchObject({ text: 'uno', revision: 1 })
    await expect(b.outbox.edit(one.id, 0, 'eins')).rejects.toMatchObject({ code: 'entry-changed' })
    await b.outbox.move(three.id, one.id)
    await b.outbox.move(one.id, null)
    expect(b.outbox.list().map((e) => e.text)).toEqual(['three', 'two', 'uno'])
    await b.outbox.cancel(two.id)
    await expect(b.outbox.cancel(two.id)).rejects.toMatchObject({ code: 'entry-under-way' })
    await expect(b.outbox.cancel('nobody')).rejects.toMatchObject({ code: 'entry-not-found' })
    await b.outbox.sendNow(three.id)
    b.outbox.requestEnded(request)
    await settle(b.bench.clock)
    expect(b.bench.target().typed.map((o) => o.text)).toEqual(['three'])
  })

  it('what was edited while the terminal was read is typed as edited', async () => {
    let read = 0
    const target = b.bench.target()
    const entry = await add('one')
    target.read = async () => {
      if (read++ === 0) await b.outbox.edit(entry.id, 0, 'two')
      return { kind: 'ready', bracketedPaste: true }
    }
    await afterSettle()
    expect(target.typed.map((o) => o.text)).toEqual(['two'])
  })

  it('cancels in the middle of typing: no Enter', async () => {
    b.bench.target().answer = (_, { stop }) =>
      new Promise((resolve) => {
        stop.addEventListener('abort', () => resolve({ kind: 'enter-owed', reason: { code: 'paused', by: 'session' } }))
      })
    const entry = await add('go on')
    await afterSettle()
    await b.outbox.cancel(entry.id)
    expect(states()).toEqual(['cancelled'])
    await b.bench.clock.advance(3_600_000)
    expect(b.bench.target().enters).toEqual([])
  })

  it('cancels too late', async () => {
    b.bench.target().answer = (_, { stop }) =>
      new Promise((resolve) => {
        stop.addEventListener('abort', () => resolve({ kind: 'submitted', extraEnter: false }))
      })
    const entry = await add('go on')
    await afterSettle()
    await expect(b.outbox.cancel(entry.id)).rejects.toMatchObject({ code: 'entry-under-way' })
    expect(states()).toEqual(['submitted'])
  })

  it('pauses in the middle of typing: no Enter until resumed', async () => {
    b.bench.target().answer = (_, { stop }, what) =>
      what === 'enter'
        ? { kind: 'submitted', extraEnter: false }
        : what === 'take-out'
          ? { kind: 'enter-owed', reason: { code: 'screen-unknown' } }
          : new Promise((resolve) => {
              stop.addEventListener('abort', () => {
                b.bench.target().reading = { kind: 'composer-holds', text: 'go on' }
                resolve({ kind: 'enter-owed', reason: { code: 'paused', by: 'session' } })
              })
            })
    await add('go on')
    await afterSettle()
    await b.outbox.pause({ code: 'by-user' })
    await b.bench.clock.advance(3_600_000)
    expect(holds()).toEqual(['paused'])
    expect(b.bench.target().enters).toEqual([])
    await b.outbox.resume()
    await settle(b.bench.clock)
    expect(states()).toEqual(['submitted'])
    expect(b.bench.target().typed).toHaveLength(1)
  })

  it('pauses everything in the middle of typing: no Enter', async () => {
    let control: TypeControl | null = null
    b.bench.target().answer = (_, c) => {
      control = c
      return new Promise(() => {})
    }
    await add('go on')
    await afterSettle()
    await b.bench.outboxes.pauseAll()
    expect(control).toMatchObject({ stop: { aborted: true } })
  })

  it('pauses everything, over a restart, too', async () => {
    await b.bench.outboxes.pauseAll()
    await add('go on')
    await b.bench.clock.advance(60_000)
    expect(b.outbox.list()[0]?.hold).toEqual({ code: 'paused', by: 'global' })
    const { disk, clock, targets } = b.bench
    b.bench.outboxes.dispose()
    await open({ disk, clock, targets })
    await b.bench.clock.advance(60_000)
    expect(b.bench.outboxes.pausedAll()).toBe(true)
    expect(b.bench.target().typed).toEqual([])
    await b.bench.outboxes.resumeAll()
    await settle(b.bench.clock)
    expect(states()).toEqual(['submitted'])
  })
})
