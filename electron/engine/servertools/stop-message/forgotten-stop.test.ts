import { describe, expect, it } from 'vitest'
import { settle, T } from '../../terminals/outbox/testing/bench.ts'
import { eachWorld } from './testing/each-world.ts'
import type { TurnExcerpt } from './turn-excerpt.ts'

const w = eachWorld()
const { arm, typed, status } = w
const did = (text: string): TurnExcerpt => ({ calls: [], callsTotal: 0, text, drivenBy: null })
const helper = {
  kind: 'subagent',
  hasNewMainTurn: false,
  background: { running: [], ended: ['subagents'] },
} as const
const besideHelpers = {
  background: { running: [{ id: 'subagents', kind: 'agent', what: null }], ended: [] },
} as const
const title = { kind: 'title', hasNewMainTurn: false } as const

describe('a stop is not forgotten', () => {
  it('when it was let go on while a title was asked for', async () => {
    await arm()
    await w.world.turn('do it', { finish: 'length' })
    await w.world.stop.pause(T)
    await w.world.turn('and this')
    const request = await w.world.begin('a title', title)
    await w.world.stop.resume(T)
    await w.world.settled()
    expect(typed()).toEqual([])
    await w.world.end(request, title)
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
  })

  it('when sub-agents still worked, and the agent did not come back by itself', async () => {
    await arm()
    await w.world.turn('do it', besideHelpers)
    await w.world.turn('count the parts', { ...helper, ...besideHelpers })
    await w.world.settled()
    expect(typed()).toEqual([])
    await w.world.turn('count the rest', helper)
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
  })

  it('and when it did, it is the later one that is answered, once', async () => {
    await arm()
    await w.world.turn('do it', besideHelpers)
    await w.world.turn('count the parts', helper)
    await w.world.turn('a sub-agent has ended')
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
    expect(await w.states()).toEqual(['superseded', 'submitted'])
  })

  it('when it was let go on after its sub-agents had ended', async () => {
    await arm()
    await w.world.stop.pause(T)
    await w.world.turn('do it', besideHelpers)
    await w.world.turn('count the parts', helper)
    await w.world.stop.resume(T)
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
  })

  it('nor what the agent did before it, by a title that was asked for behind it', async () => {
    w.world.goal.says = [{ kind: 'send', text: 'fix it' }]
    await arm({ review: true })
    await w.world.stop.pause(T)
    await w.world.turn('do it', { excerpt: did('all done') })
    await w.world.turn('a title', title)
    await w.world.stop.resume(T)
    await settle(w.world.clock)
    expect(w.world.goal.asked).toMatchObject([{ turn: { text: 'all done' } }])
  })

  it('when the goal was changed while its followup was being typed', async () => {
    w.world.target().answer = (_, control, what) =>
      what === 'enter'
        ? { kind: 'submitted', extraEnter: false }
        : new Promise((resolve) => {
            control.stop.addEventListener('abort', () => resolve({ kind: 'held', reason: { code: 'agent-busy' } }))
          })
    await arm()
    await w.world.turn('do it')
    await w.world.settled()
    expect(await w.states()).toEqual(['typing'])
    w.world.target().answer = () => ({ kind: 'submitted', extraEnter: false })
    await w.world.stop.edit(T, { text: 'go on with the docs' })
    await settle(w.world.clock)
    await w.world.settled()
    expect(await w.states()).toEqual(['superseded', 'submitted'])
    expect(typed().at(-1)).toBe('go on with the docs')
  })

  it('when a followup stayed unconfirmed while it was paused', async () => {
    w.world.target().answer = () => ({ kind: 'unknown' })
    await arm()
    await w.world.turn('do it')
    await w.world.settled()
    expect(await w.states()).toEqual(['unknown'])
    await w.world.stop.pause(T)
    await w.world.clock.advance(120_000)
    w.world.target().answer = () => ({ kind: 'submitted', extraEnter: false })
    await w.world.stop.resume(T)
    await w.world.settled()
    expect(await w.states()).toEqual(['unknown', 'submitted'])
    expect(status()?.kind).toBe('injecting')
  })

  it('when a goal was set while an earlier followup was on its way that never arrived', async () => {
    await arm({ text: 'the first goal' })
    await w.world.turn('do it')
    await w.world.settled()
    expect(await w.states()).toEqual(['submitted'])
    await arm({ text: 'the second goal' })
    await w.world.turn('something else')
    await w.world.settled()
    expect(typed()).toEqual(['the first goal'])
    await w.world.clock.advance(w.world.settings.receiptMs)
    await w.world.settled()
    expect(await w.states()).toEqual(['failed', 'submitted'])
    expect(typed()).toEqual(['the first goal', 'the second goal'])
    expect(status()?.kind).toBe('injecting')
  })

  it('when the person sent a followup along with their own words: it has arrived, its round is used', async () => {
    w.world.target().answer = () => ({ kind: 'enter-owed', reason: { code: 'draft' }, shown: true })
    await arm()
    await w.world.turn('do it')
    await w.world.settled()
    expect(await w.states()).toEqual(['queued'])
    w.world.target().reading = { kind: 'ready', bracketedPaste: true }
    w.world.target().answer = () => ({ kind: 'submitted', extraEnter: false })
    await w.world.turn('go on plus mine')
    await w.world.settled()
    expect(await w.states()).toEqual(['confirmed', 'submitted'])
    expect(w.world.events.find(({ type }) => type === 'confirmed')).toMatchObject({ withWords: true })
    expect(w.view()).toMatchObject({ used: 2, status: { kind: 'injecting' } })
  })

  it('nor when nobody knows what became of that followup', async () => {
    w.world.target().answer = () => ({ kind: 'unknown' })
    await arm({ text: 'the first goal' })
    await w.world.turn('do it')
    let answer: (result: { kind: 'unknown' }) => void = () => undefined
    w.world.target().answer = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    await w.world.settled()
    expect(await w.states()).toEqual(['typing'])
    await arm({ text: 'the second goal' })
    await w.world.turn('something else')
    w.world.target().answer = () => ({ kind: 'submitted', extraEnter: false })
    answer({ kind: 'unknown' })
    await w.world.settled()
    await w.world.clock.advance(w.world.settings.receiptMs)
    await w.world.settled()
    expect(await w.states()).toEqual(['unknown', 'submitted'])
    expect(typed().at(-1)).toBe('the second goal')
  })

  it.each(['crash', 'crash-after'] as const)(
    'when Onward ended between the stop and its followup (%s)',
    async (fate) => {
      await arm()
      const request = await w.world.begin('do it')
      w.world.disk.fate = (path) => (path.startsWith('outbox/') ? fate : 'ok')
      void w.world.end(request, { excerpt: did('done') })
      await settle(w.world.clock)
      expect(w.world.store.crashed).toBe(true)
      w.world = await w.world.kill()
      await settle(w.world.clock)
      await w.world.settled()
      expect(typed()).toEqual(['go on'])
    },
  )

  it('when Onward ended after it, and the followup of an earlier one had got lost', async () => {
    await arm()
    w.world.target(T).answer = async () => ({ kind: 'unknown' })
    await w.world.turn('do it', { excerpt: did('done') })
    await w.world.settled()
    expect(await w.states()).toEqual(['unknown'])
    w.world.target(T).answer = async () => ({ kind: 'submitted', extraEnter: false })
    const request = await w.world.begin('and this')
    w.world.disk.fate = (path) => (path.startsWith('outbox/') ? 'crash' : 'ok')
    void w.world.end(request, { excerpt: did('done, too') })
    await settle(w.world.clock)
    expect(w.world.store.crashed).toBe(true)
    w.world = await w.world.kill()
    await settle(w.world.clock)
    await w.world.settled()
    expect(await w.states()).toEqual(['unknown', 'submitted'])
  })

  it('and one whose followup a person took back is not answered by a start', async () => {
    await arm()
    await w.world.turn('do it', { excerpt: did('done') })
    const outbox = await w.outbox()
    await outbox.cancel(outbox.list()[0]?.id ?? '')
    w.world = await w.world.kill()
    await settle(w.world.clock)
    await w.world.settled()
    expect(typed()).toEqual([])
  })

  it('when the disk refused it, and the terminal was gone meanwhile, only the new one hears of it', async () => {
    const U = 'tmux:other'
    await arm()
    w.world.disk.fate = (path) => (path.startsWith('outbox/') ? 'fail' : 'ok')
    await w.world.turn('do it')
    w.world.disk.fate = () => 'ok'
    await w.world.stop.move(T, U)
    const before = w.world.events.length
    await w.world.clock.advance(20_000)
    expect(w.world.outboxes.peek(T)).toBeNull()
    expect(w.world.events.slice(before)).toEqual([])
  })
})
