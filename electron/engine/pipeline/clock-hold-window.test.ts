import { describe, expect, it } from 'vitest'
import { entryProtocols } from '../../../shared/words.ts'
import { heardOf, itemsOf, problemsOf, refusedOf, requestOf, userItem } from './testing/client-view.ts'
import { clockCall, clockScene, mark, minute, seconds, wish, type ClockSceneOptions } from './testing/clock-scene.ts'

const hold = { until: 'window' } as const

describe.each(entryProtocols)('an answer held open until the window of an alarm opens, for a %s client', (entry) => {
  const request = requestOf(entry, [userItem(entry, 'Hi')])
  /** A request whose first answer ends at once, `inMs` before its alarm. */
  async function answered(
    inMs: number,
    {
      stream = true,
      finish = 'stop' as 'stop' | 'length',
      rules = {},
      ...options
    }: ClockSceneOptions & {
      stream?: boolean
      finish?: 'stop' | 'length'
    } = {},
  ) {
    const s = await clockScene(entry, { ...options, rules: { hold, ...rules } })
    await s.world.set('s1', inMs, 'look')
    const asked = await s.ask(request, { stream })
    ;(await s.upstream.round(1)).answer({ text: 'One.', finish })
    await s.rest()
    return { s, ...asked }
  }

  it.each([
    ['stop', true],
    ['length', true],
    ['stop', false],
    ['length', false],
  ] as const)(
    'waits for one 120 s ahead, and goes on with it 60 s later (finish %s, stream: %s)',
    async (finish, stream) => {
      const { s, client, over } = await answered(2 * minute, { stream, finish })
      expect(client.ended).toBeNull()
      await s.world.clock.advance(minute - 1)
      expect([s.upstream.rounds.length, s.states()]).toMatchObject([1, [{ state: 'waits' }]])
      await s.world.clock.advance(1)
      const second = await s.upstream.round(2)
      expect(itemsOf(entry, second.json).at(-1)).toContain(mark('look'))
      expect(refusedOf[entry](second.json)).toEqual([])
      second.answer({ text: 'Two.' })
      await over
      await s.rest()
      expect(s.holds).toMatchObject([{ type: 'hold-started' }, { type: 'hold-ended', why: 'due', ms: minute }])
      expect(s.states()).toMatchObject([{ state: 'delivered', deliveryCount: 1 }])
      expect(problemsOf(entry, client.text, stream)).toEqual([])
      expect(heardOf(entry, client.text, stream).text.replaceAll(/\s+/g, '')).toBe('One.Two.')
      // When it comes due, the client gets nothing more.
      await s.world.clock.advance(5 * minute)
      expect([s.upstream.rounds.length, s.states()[0]?.deliveryCount]).toEqual([2, 1])
    },
  )

  it.each([
    [121 * seconds, hold, false],
    [61 * seconds, { until: 'due' } as const, false],
    [60 * seconds, { until: 'due' } as const, true],
  ])('of one %d ms ahead, %o: %s', async (inMs, until, waits) => {
    const s = await clockScene(entry, { rules: { hold: until } })
    await s.world.set('s1', inMs + seconds, 'look')
    const asked = await s.ask(request)
    const first = await s.upstream.round(1)
    await s.world.clock.advance(seconds)
    first.answer({ text: 'One.' })
    await s.rest()
    expect(asked.client.ended === null).toBe(waits)
    if (waits) asked.client.leave()
    await asked.over
  })

  it('goes on at once with one whose window opened while the answer came', async () => {
    const s = await clockScene(entry, { rules: { hold } })
    await s.world.set('s1', 90 * seconds, 'look')
    const { client, over } = await s.ask(request)
    const first = await s.upstream.round(1)
    expect(itemsOf(entry, first.json)).toHaveLength(1)
    await s.world.clock.advance(40 * seconds)
    first.answer({ text: 'One.' })
    const second = await s.upstream.round(2)
    expect(itemsOf(entry, second.json).at(-1)).toContain(mark('look'))
    second.answer({ text: 'Two.' })
    await over
    expect(problemsOf(entry, client.text)).toEqual([])
  })

  it('may be for one that the answer itself has set, but for one within its window', async () => {
    const s = await clockScene(entry, { rules: { hold } })
    const now = s.world.clock.now()
    const items = [wish(now + 80 * seconds, 'later'), wish(now + 50 * seconds, 'now')]
    const { client, over } = await s.ask(request)
    ;(await s.upstream.round(1)).answer({ toolCalls: [clockCall('call_a', { action: 'schedule', items })] })
    ;(await s.upstream.round(2)).answer({ text: 'They are set.' })
    await s.world.clock.advance(20 * seconds)
    const third = await s.upstream.round(3)
    expect(itemsOf(entry, third.json).at(-1)).toContain(mark('later'))
    expect(itemsOf(entry, third.json).at(-1)).not.toContain(mark('now'))
    third.answer({ text: 'Done.' })
    await over
    await s.rest()
    expect(problemsOf(entry, client.text)).toEqual([])
    expect(s.states()).toMatchObject([
      { task: 'now', state: 'waits' },
      { task: 'later', state: 'delivered' },
    ])
  })

  it.each(['cancelled', 'left', 'a terminal', 'off', 'JSON off', 'put off'] as const)(
    'ends, and delivers nothing: %s',
    async (how) => {
      const { s, client, over } = await answered(
        how === 'a terminal' ? 70 * seconds : 100 * seconds,
        how === 'off'
          ? { rules: { holdMaxMs: 0 } }
          : how === 'JSON off'
            ? { stream: false, holdNonStreaming: false }
            : how === 'a terminal'
              ? { place: 'tmux:s1' }
              : {},
      )
      if (how === 'cancelled') await s.alarms.clear('s1', 'user')
      if (how === 'left') client.leave()
      if (how === 'put off') {
        await s.world.clock.advance(30 * seconds)
        const { taskId } = s.alarms.of('s1')[0] ?? { taskId: '' }
        await s.alarms.edit(taskId, { dueAtMs: s.world.clock.now() + 115 * seconds }, 'user')
      }
      await s.world.clock.advance(2 * seconds)
      await over
      expect(s.upstream.rounds).toHaveLength(1)
      expect(s.states().map(({ state }) => state)).toEqual(how === 'cancelled' ? [] : ['waits'])
    },
  )
})
