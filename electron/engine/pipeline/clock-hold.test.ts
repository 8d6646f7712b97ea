import { describe, expect, it } from 'vitest'
import { entryProtocols } from '../../../shared/words.ts'
import { codecOf } from '../protocol/index.ts'
import {
  beats,
  heardOf,
  historyOf,
  itemsOf,
  problemsOf,
  refusedOf,
  requestOf,
  userItem,
} from './testing/client-view.ts'
import { mark, minute, goesWithNext, seconds, type ClockScene } from './testing/clock-scene.ts'
import { heldScene, wait, type HeldOptions } from './testing/held-scene.ts'

describe.each(entryProtocols)('an answer held open for a %s client', (entry) => {
  const hi = userItem(entry, 'Hi')
  const request = (more = {}) => requestOf(entry, [hi], more)
  const joined = (text: string) => text.replaceAll(/\s+/g, '')

  const held = (options: HeldOptions = {}) => heldScene(entry, options)
  /** Lets everything end, and checks that no timer is left. */
  async function closed(s: ClockScene, idle: number) {
    await s.rest()
    expect(s.world.clock.pending()).toBeLessThanOrEqual(idle)
  }

  it.each([
    ['stop', true],
    ['length', true],
    ['stop', false],
    ['length', false],
  ] as const)('waits for the alarm and goes on with it (finish %s, stream: %s)', async (finish, stream) => {
    const { s, first, idle, client, over } = await held({ says: { text: 'One.', finish }, stream })
    expect(itemsOf(entry, first.json)).toEqual([JSON.stringify(hi)])
    expect(s.holds).toEqual([{ type: 'hold-started', dueAt: s.alarms.of('s1')[0]?.dueAtMs }])
    expect(client.ended).toBeNull()
    expect(s.states()).toMatchObject([{ state: 'waits' }])
    await s.world.clock.advance(wait - 1)
    expect(s.upstream.rounds).toHaveLength(1)
    await s.world.clock.advance(1)
    const second = await s.upstream.round(2)
    expect(s.holds.at(-1)).toEqual({ type: 'hold-ended', why: 'due', ms: wait })
    expect(s.states()).toMatchObject([{ state: 'hold' }])
    expect(itemsOf(entry, second.json).slice(0, 1)).toEqual(itemsOf(entry, first.json))
    expect(itemsOf(entry, second.json).at(-2)).toContain('One.')
    expect(itemsOf(entry, second.json).at(-1)).toContain(mark('look'))
    expect(refusedOf[entry](second.json)).toEqual([])
    second.answer({ text: 'Two.' })
    const { end, error } = await over
    await closed(s, idle)
    expect(error).toBeNull()
    expect(end.summary.finish).toBe('stop')
    expect(s.states()).toMatchObject([{ state: 'delivered', deliveryCount: 1 }])
    expect(problemsOf(entry, client.text, stream)).toEqual([])
    expect(heardOf(entry, client.text, stream)).toMatchObject({ calls: [], end: { reason: 'stop' } })
    expect(joined(heardOf(entry, client.text, stream).text)).toBe('One.Two.')
    if (!stream) return

    // Rounds that the client did not see stay in its history ever after, byte for byte.
    const next = await s.ask(requestOf(entry, [hi, ...historyOf(entry, client.text), userItem(entry, 'More.')]))
    const third = await s.upstream.round(3)
    expect(itemsOf(entry, third.json).slice(0, itemsOf(entry, second.json).length)).toEqual(itemsOf(entry, second.json))
    third.answer({ text: 'Three.' })
    await next.over
  })

  it('is kept alive every 10 s until the alarm’s answer begins', async () => {
    const { s, idle, client, over } = await held()
    const shown = client.text
    const shape = beats[entry]
    const told = () => {
      // Google's last words come with the finish: the part that is kept back is shown with the first beat.
      const since = client.text.slice(shown.length).replace(/^data: [^\n]*"text":"One\."[^\n]*\n\n/, '')
      const parts = shape === null ? [] : (since.match(new RegExp(shape, 'g')) ?? [])
      expect(parts.join('')).toBe(since)
      return parts.length
    }
    const each = shape === null ? 0 : 1
    await s.world.clock.advance(9_999)
    expect(told()).toBe(0)
    await s.world.clock.advance(1)
    expect(told()).toBe(each)
    await s.world.clock.advance(35 * seconds)
    expect(told()).toBe(4 * each)
    await s.world.clock.advance(5 * seconds)
    const second = await s.upstream.round(2)
    await s.world.clock.advance(10 * seconds)
    expect(told()).toBe(6 * each)
    second.answer({ text: 'Two.' })
    await over
    await closed(s, idle)
    expect(problemsOf(entry, client.text)).toEqual([])
  })

  it('in JSON sends nothing until it is whole, and does not wait where that is not wanted', async () => {
    const waiting = await held({ stream: false })
    await waiting.s.world.clock.advance(wait - seconds)
    expect(waiting.client.heads).toEqual([])
    await waiting.s.world.clock.advance(seconds)
    ;(await waiting.s.upstream.round(2)).answer({ text: 'Two.' })
    await waiting.over
    const { s, idle, client, over } = await held({ stream: false, holdNonStreaming: false })
    await over
    expect(client.ended).toBe('whole')
    expect(s.holds).toEqual([])
    expect(s.states()).toMatchObject([{ state: 'waits' }])
    await closed(s, idle)
  })

  it.each([true, false])('ends at once when its client leaves, and the alarm waits on (stream: %s)', async (stream) => {
    const { s, idle, client, over } = await held({ stream })
    await s.world.clock.advance(20 * seconds)
    client.leave()
    const { end } = await over
    await closed(s, idle)
    expect(end.clientLeft).toBe(true)
    expect(s.holds.at(-1)).toEqual({ type: 'hold-ended', why: 'client-left', ms: 20 * seconds })
    expect(s.states()).toEqual([{ task: 'look', state: 'waits', deliveryCount: 0 }])
    await goesWithNext(s, entry, request())
  })

  it('whose client leaves before the further round begins releases the alarm', async () => {
    for (const stream of [true, false]) {
      const { s, idle, client, over } = await held({ stream })
      await s.world.clock.advance(wait)
      const second = await s.upstream.round(2)
      client.leave()
      await over
      await closed(s, idle)
      expect(second.aborted).toBe(true)
      expect(s.states()).toMatchObject([{ state: 'waits', deliveryCount: 0 }])
      expect(s.world.told('s1').at(-1)).toMatchObject({ type: 'alarm-released', route: 'hold', why: 'client-left' })
    }
  })

  const meanwhile: readonly [string, (s: ClockScene, taskId: string) => Promise<unknown>, string][] = [
    ['cancelled', async (s, taskId) => s.alarms.cancel(taskId, 'user'), 'gone'],
    [
      'put off',
      async (s, taskId) => s.alarms.edit(taskId, { dueAtMs: s.world.clock.now() + 10 * minute }, 'user'),
      'gone',
    ],
    [
      'delivered with another request',
      async (s) => {
        const other = await s.ask(requestOf(entry, [userItem(entry, 'Ho')]))
        ;(await s.upstream.round(2)).answer({
          text: 'Done.',
          toolCalls: [{ name: 'Read', id: 'call_r', input: { path: 'x' } }],
        })
        await other.over
      },
      'gone',
    ],
    [
      'paused with its session',
      async (s) => {
        s.world.paused.add('s1')
      },
      'gone',
    ],
    [
      'taken by a terminal',
      async (s) => {
        s.world.places.set('s1', 'tmux:s1')
      },
      'gone',
    ],
  ]
  it.each(meanwhile)('ends properly when the alarm is %s meanwhile', async (_how, act, why) => {
    for (const stream of [true, false]) {
      const { s, taskId, client, over } = await held({ stream })
      await s.world.clock.advance(12 * seconds)
      await act(s, taskId)
      await s.world.clock.advance(2 * seconds)
      const { error } = await over
      expect(error).toBeNull()
      expect(client.ended).toBe('whole')
      expect(s.holds.at(-1)).toMatchObject({ type: 'hold-ended', why })
      expect(problemsOf(entry, client.text, stream)).toEqual([])
      expect(heardOf(entry, client.text, stream)).toMatchObject({ text: 'One.', end: { reason: 'stop' } })
    }
  })

  it('is longer or shorter when the alarm is moved within the time', async () => {
    const { s, taskId, client, over } = await held()
    await s.alarms.edit(taskId, { dueAtMs: s.world.clock.now() + 5 * seconds }, 'user')
    await s.world.clock.advance(6 * seconds)
    ;(await s.upstream.round(2)).answer({ text: 'Two.' })
    await over
    expect(problemsOf(entry, client.text)).toEqual([])
    expect(s.states()).toMatchObject([{ state: 'delivered' }])
  })

  it.each([true, false])(
    'ends properly when the further round fails before it begins, and the alarm waits on (stream: %s)',
    async (stream) => {
      for (const how of ['refused', 'limited', 'unreachable', 'empty'] as const) {
        const { s, idle, client, over } = await held({ stream })
        await s.world.clock.advance(wait)
        const second = await s.upstream.round(2)
        if (how === 'unreachable') second.fail('upstream-unreachable')
        else if (how === 'empty') {
          second.head()
          second.end()
        } else second.refuse(how === 'refused' ? 500 : 429)
        const { end, error } = await over
        await closed(s, idle)
        expect(error).toBeNull()
        expect(end).toMatchObject({ summary: { finish: 'stop', error: null }, roundFailure: { round: 2 } })
        expect(client.ended).toBe('whole')
        expect(problemsOf(entry, client.text, stream)).toEqual([])
        expect(heardOf(entry, client.text, stream)).toMatchObject({ text: 'One.', end: { reason: 'stop' } })
        expect(s.states()).toEqual([{ task: 'look', state: 'waits', deliveryCount: 0 }])
        expect(s.world.told('s1').at(-1)).toMatchObject({ type: 'alarm-released', why: 'upstream-failed' })
      }
    },
  )

  it('ends properly when the further round begins with an error, which tells nobody of the alarm', async () => {
    const { s, idle, client, over } = await held()
    await s.world.clock.advance(wait)
    const second = await s.upstream.round(2)
    second.head()
    second.data(
      codecOf(entry).errorEvent({
        code: 'overloaded',
        message: 'Try later.',
        requestId: 'r1',
        sequence: 0,
        responseId: null,
        model: null,
        nowMs: 0,
      }),
    )
    second.end()
    const { error } = await over
    await closed(s, idle)
    expect(error).toBeNull()
    expect(problemsOf(entry, client.text)).toEqual([])
    expect(heardOf(entry, client.text)).toMatchObject({ text: 'One.', end: { reason: 'stop' } })
    expect(s.states()).toEqual([{ task: 'look', state: 'waits', deliveryCount: 0 }])
  })

  it('ends properly when the further round breaks off, and the alarm is delivered once', async () => {
    const { s, idle, client, over } = await held()
    await s.world.clock.advance(wait)
    const second = await s.upstream.round(2)
    second.head()
    for (const event of second.events({ text: 'A longer text that comes in pieces.' }).slice(0, -2)) second.data(event)
    second.fail()
    await over
    await closed(s, idle)
    expect(problemsOf(entry, client.text)).toEqual([])
    expect(heardOf(entry, client.text).end).toMatchObject({ reason: 'stop' })
    expect(s.states()).toMatchObject([{ state: 'delivered', deliveryCount: 1 }])
  })
})
