import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { entryProtocols, type RequestKind } from '../../../shared/words.ts'
import { heardOf, historyOf, itemsOf, problemsOf, refusedOf, requestOf, userItem } from './testing/client-view.ts'
import { clockCall, clockScene, mark, goesWithNext, seconds, type ClockSceneOptions } from './testing/clock-scene.ts'
import { atFirstWord } from './testing/scripted-upstream.ts'

const due = 30 * seconds

describe.each(entryProtocols)('a due alarm and the next request of a %s client', (entry) => {
  const hi = userItem(entry, 'Hi')
  const request = (more = {}) => requestOf(entry, [hi], more)
  async function scene(options: ClockSceneOptions = {}, task = 'look') {
    const s = await clockScene(entry, options)
    await s.world.set('s1', due, task)
    return s
  }

  it.each([true, false])(
    'it stands behind the client’s last message, and is delivered when the answer begins (stream: %s)',
    async (stream) => {
      const s = await scene()
      const { client, over } = await s.ask(request(), { stream })
      const first = await s.upstream.round(1)
      const items = itemsOf(entry, first.json)
      expect(items).toHaveLength(2)
      expect(items[0]).toBe(JSON.stringify(hi))
      expect(items[1]).toContain(mark('look'))
      expect(refusedOf[entry](first.json)).toEqual([])
      expect(s.states()).toMatchObject([{ state: 'request', deliveryCount: 0 }])
      first.head()
      await s.rest()
      expect(s.states()).toMatchObject([{ state: 'request' }])
      const [begun, more] = atFirstWord(first.events({ text: 'Done.' }))
      if (stream) for (const event of begun) first.data(event)
      await s.rest()
      expect(s.states()).toMatchObject([{ state: stream ? 'delivered' : 'request' }])
      if (stream) for (const event of more) first.data(event)
      else first.answer({ text: 'Done.' })
      first.end()
      const { end, error } = await over
      await s.rest()
      expect(error).toBeNull()
      expect(end.clientLeft).toBe(false)
      expect(s.states()).toEqual([{ task: 'look', state: 'delivered', deliveryCount: 1 }])
      expect(problemsOf(entry, client.text, stream)).toEqual([])
      expect(
        s.world
          .told('s1')
          .map(({ type }) => type)
          .filter((type) => type !== 'alarm-set'),
      ).toEqual(['alarm-claimed', 'alarm-delivered'])
    },
  )

  it.each([
    ['fails', 500],
    ['is refused', 400],
    ['is limited', 429],
  ] as const)('of which the upstream %s (%i) waits on, and goes with the next', async (_how, status) => {
    const s = await scene()
    const { over } = await s.ask(request())
    ;(await s.upstream.round(1)).refuse(status)
    await over
    await s.rest()
    expect(s.states()).toEqual([{ task: 'look', state: 'waits', deliveryCount: 0 }])
    expect(s.world.told('s1').at(-1)).toMatchObject({ type: 'alarm-released', why: 'upstream-failed' })
    await goesWithNext(s, entry, request())
  })

  it.each([
    ['refused', true],
    ['refused', false],
    ['unreachable', true],
    ['left', true],
    ['left', false],
  ] as const)('a request that is sent again at once takes it along: %s (stream: %s)', async (how, stream) => {
    const s = await scene()
    // The disk is slow: the alarm of a failed request is free before that is written.
    s.world.disk.pace = async () => {
      for (let i = 0; i < 20; i++) await nextTurn()
    }
    const asked = await s.ask(request(), { stream })
    const first = await s.upstream.round(1)
    expect(itemsOf(entry, first.json).at(-1)).toContain(mark('look'))
    if (how === 'left') asked.client.leave()
    else {
      if (how === 'refused') first.refuse(500)
      else first.fail('upstream-unreachable')
      await asked.over
    }
    const again = await s.ask(request(), { stream, retry: true })
    const second = await s.upstream.round(2)
    expect(itemsOf(entry, second.json).at(-1)).toContain(mark('look'))
    second.answer({ text: 'Done.' })
    await again.over
    await asked.over
    delete s.world.disk.pace
    await s.rest()
    expect(s.states()).toMatchObject([{ state: 'delivered', deliveryCount: 1 }])
  })

  it('an upstream that cannot be reached, or ends without a byte, leaves it free', async () => {
    const s = await scene()
    for (const [n, how] of (['unreachable', 'empty'] as const).entries()) {
      const { over } = await s.ask(request())
      const round = await s.upstream.round(n + 1)
      if (how === 'unreachable') round.fail('upstream-unreachable')
      else {
        round.head()
        round.end()
      }
      expect((await over).error).not.toBeNull()
      await s.rest()
      expect(s.states()).toMatchObject([{ state: 'waits', deliveryCount: 0 }])
    }
  })

  it.each([true, false])('a client that leaves before the head has not been told (stream: %s)', async (stream) => {
    const s = await scene()
    const { client, over } = await s.ask(request(), { stream })
    const first = await s.upstream.round(1)
    first.head()
    client.leave()
    await over
    await s.rest()
    expect(first.aborted).toBe(true)
    expect(s.states()).toMatchObject([{ state: 'waits', deliveryCount: 0 }])
    expect(s.world.told('s1').at(-1)).toMatchObject({ type: 'alarm-released', why: 'client-left' })
  })

  it('an answer that breaks off behind its first word has told it once; asked again, nothing comes twice', async () => {
    const s = await scene()
    const { over } = await s.ask(request())
    const first = await s.upstream.round(1)
    first.head()
    for (const event of atFirstWord(first.events({ text: 'A longer text that comes in pieces.' }))[0]) first.data(event)
    first.fail()
    await over
    await s.rest()
    expect(s.states()).toMatchObject([{ state: 'delivered', deliveryCount: 1 }])
    for (const n of [2, 3]) {
      const again = await s.ask(request(), { retry: true })
      const round = await s.upstream.round(n)
      expect(itemsOf(entry, round.json)).toEqual(itemsOf(entry, first.json))
      if (n === 2) round.refuse(503)
      else round.answer({ text: 'Done.' })
      await again.over
      await s.rest()
      expect(s.states()).toMatchObject([{ state: 'delivered', deliveryCount: 1 }])
    }
    const next = await s.ask(requestOf(entry, [hi, userItem(entry, 'Other.')]))
    const round = await s.upstream.round(4)
    expect(round.body.toString()).not.toContain('scheduled task')
    round.answer({ text: 'Well.' })
    await next.over
  })

  it('another request that is sent again has no part in it', async () => {
    const s = await scene()
    const told = await s.ask(request())
    ;(await s.upstream.round(1)).answer({ text: 'Done.' })
    await told.over
    const body = requestOf(entry, [hi, ...historyOf(entry, told.client.text), userItem(entry, 'More.')])
    for (const n of [2, 3]) {
      const { over } = await s.ask(body, { retry: n === 3 })
      const round = await s.upstream.round(n)
      expect(round.body.toString().match(/scheduled task/g)).toHaveLength(1)
      expect(itemsOf(entry, round.json)[1]).toContain(mark('look'))
      if (n === 2) round.refuse(503)
      else round.answer({ text: 'Well.' })
      await over
    }
  })

  it('a client that leaves behind the head and asks again gets it again', async () => {
    const s = await scene()
    const { client, over } = await s.ask(request())
    const first = await s.upstream.round(1)
    first.head()
    for (const event of first.events({ text: 'A longer text that comes in pieces.' }).slice(0, 2)) first.data(event)
    client.leave()
    await over
    await s.rest()
    const again = await s.ask(request(), { retry: true })
    const second = await s.upstream.round(2)
    expect(itemsOf(entry, second.json)).toEqual(itemsOf(entry, first.json))
    second.answer({ text: 'Done.' })
    await again.over
    await s.rest()
    expect(s.states()).toMatchObject([{ state: 'delivered', deliveryCount: 1 }])
  })

  it('of two requests at once one has it', async () => {
    const s = await scene()
    const [a, b] = await Promise.all([s.ask(request()), s.ask(requestOf(entry, [userItem(entry, 'Ho')]))])
    const both = [await s.upstream.round(1), await s.upstream.round(2)]
    expect(both.filter(({ body }) => body.includes('scheduled task'))).toHaveLength(1)
    for (const round of both) round.answer({ text: 'Done.' })
    await Promise.all([a.over, b.over])
    await s.rest()
    expect(s.states()).toMatchObject([{ state: 'delivered', deliveryCount: 1 }])
  })

  it.each<RequestKind>(['subagent', 'title', 'compaction', 'count', 'probe'])(
    'requests of kind %s never carry it',
    async (kind) => {
      const s = await scene({ kind, tag: true })
      const { over } = await s.ask(request(), { stream: false })
      const first = await s.upstream.round(1)
      expect(itemsOf(entry, first.json)).toEqual([JSON.stringify(hi)])
      first.answer({ text: 'Done.' })
      await over
      await s.rest()
      expect(s.states()).toMatchObject([{ state: 'waits' }])
    },
  )

  it('nor do requests to count, and sessions that have none', async () => {
    const s = await scene({ tag: true })
    const counted = await s.ask(request(), { stream: false, endpoint: 'count' })
    const first = await s.upstream.round(1)
    expect(itemsOf(entry, first.json)).toEqual([JSON.stringify(hi)])
    first.answer({})
    await counted.over
    const other = await clockScene(entry, { sessionId: 's2' })
    await other.world.set('s1', due)
    const { over } = await other.ask(request())
    const second = await other.upstream.round(1)
    expect(itemsOf(entry, second.json)).toEqual([JSON.stringify(hi)])
    second.answer({})
    await over
    expect(s.states()).toMatchObject([{ state: 'waits' }])
  })

  it.each([
    ['an alarm that is not due yet', 61 * seconds],
    ['one that is over', -1_200_001],
  ])('%s is not among it', async (_, inMs) => {
    const s = await clockScene(entry)
    await s.world.set('s1', 90 * seconds, 'look')
    await s.world.clock.advance(90 * seconds - inMs)
    const { over } = await s.ask(request())
    const first = await s.upstream.round(1)
    expect(itemsOf(entry, first.json)).toHaveLength(1)
    first.answer({})
    await over
  })

  it('a JSON answer whose later round fails has not told it', async () => {
    const s = await scene()
    const { client, over } = await s.ask(request(), { stream: false })
    ;(await s.upstream.round(1)).answer({ toolCalls: [clockCall('call_a', { action: 'get' })] })
    ;(await s.upstream.round(2)).refuse(500)
    const { error } = await over
    await s.rest()
    expect(error).not.toBeNull()
    expect(client.heads).toEqual([])
    expect(s.states()).toMatchObject([{ state: 'waits', deliveryCount: 0 }])
  })

  it.each([true, false])(
    'alarms of one session stand in one message, and calls behind it stay invisible (stream: %s)',
    async (stream) => {
      const s = await scene()
      await s.world.set('s1', due + seconds, 'feed "the" cat')
      const { client, over } = await s.ask(request(), { stream })
      const first = await s.upstream.round(1)
      expect(itemsOf(entry, first.json)).toHaveLength(2)
      for (const task of ['look', "feed 'the' cat"]) expect(itemsOf(entry, first.json).at(-1)).toContain(mark(task))
      first.answer({ text: 'One.', toolCalls: [clockCall('call_a', { action: 'list' })] })
      const second = await s.upstream.round(2)
      expect(itemsOf(entry, second.json).slice(0, 2)).toEqual(itemsOf(entry, first.json))
      second.answer({ text: 'Two.' })
      await over
      await s.rest()
      expect(problemsOf(entry, client.text, stream)).toEqual([])
      expect(heardOf(entry, client.text, stream).calls).toEqual([])
      expect(s.states().map(({ state }) => state)).toEqual(['delivered', 'delivered'])
    },
  )

  it('where a request brings no tools though the session’s had some, they stand in it, Onward’s behind', async () => {
    const s = await clockScene(entry)
    const first = await s.ask(request())
    ;(await s.upstream.round(1)).answer({ text: 'One.' })
    await first.over
    const bare = requestOf(entry, [hi, userItem(entry, 'More')], { tools: [] })
    const without = await s.ask(bare)
    const plain = await s.upstream.round(2)
    expect(plain.body.toString()).not.toContain('"Read"')
    plain.answer({ text: 'Two.' })
    await without.over
    await s.world.set('s1', due, 'look')
    const next = await s.ask(bare)
    const third = await s.upstream.round(3)
    expect(third.json['tools']).toEqual((await s.upstream.round(1)).json['tools'])
    expect(JSON.stringify(third.json['tools']).indexOf('"Read"')).toBeLessThan(
      JSON.stringify(third.json['tools']).indexOf('"clock"'),
    )
    expect(refusedOf[entry](third.json)).toEqual([])
    third.answer({ text: 'Three.' })
    await next.over
  })
})
