import { describe, expect, it } from 'vitest'
import { entryProtocols } from '../../../shared/words.ts'
import { emptyReplyContinue } from '../servertools/empty-reply.ts'
import { beats, heardOf, itemsOf, problemsOf, refusedOf, requestOf, userItem } from './testing/client-view.ts'
import { clockCall, clockScene, mark, minute, seconds, wish } from './testing/clock-scene.ts'
import { ahead, heldScene, taken, wait, type HeldOptions } from './testing/held-scene.ts'

describe.each(entryProtocols)('holds of a %s answer beside whatever else may follow it', (entry) => {
  const request = () => requestOf(entry, [userItem(entry, 'Hi')])
  const joined = (text: string) => text.replaceAll(/\s+/g, '')
  const held = (options: HeldOptions = {}) => heldScene(entry, options)

  it.each([true, false])('several alarms are taken one after the other (stream: %s)', async (stream) => {
    const s = await clockScene(entry)
    for (const [i, task] of ['a', 'b', 'c'].entries()) await s.world.set('s1', ahead + i * minute, task)
    const { client, over } = await s.ask(request(), { stream })
    await s.world.clock.advance(taken)
    ;(await s.upstream.round(1)).answer({ text: 'Zero.' })
    for (const [i, task] of ['a', 'b', 'c'].entries()) {
      await s.world.clock.advance(i === 0 ? wait : minute)
      const round = await s.upstream.round(i + 2)
      expect(itemsOf(entry, round.json).at(-1)).toContain(mark(task))
      expect(refusedOf[entry](round.json)).toEqual([])
      round.answer({ text: `${task}.` })
    }
    await over
    await s.rest()
    expect(s.upstream.rounds).toHaveLength(4)
    expect(problemsOf(entry, client.text, stream)).toEqual([])
    expect(joined(heardOf(entry, client.text, stream).text)).toBe('Zero.a.b.c.')
    expect(s.states().map(({ state, deliveryCount }) => [state, deliveryCount])).toEqual([
      ['delivered', 1],
      ['delivered', 1],
      ['delivered', 1],
    ])
  })

  it('a JSON answer that its client leaves in the second hold has delivered neither alarm', async () => {
    const { s, over, client } = await held({ stream: false })
    await s.world.set('s1', wait + 30 * seconds, 'again')
    await s.world.clock.advance(wait)
    ;(await s.upstream.round(2)).answer({ text: 'Two.' })
    await s.world.clock.advance(10 * seconds)
    expect(s.states()).toMatchObject([{ state: 'hold' }, { state: 'waits' }])
    client.leave()
    await over
    await s.rest()
    expect(s.holds.at(-1)).toMatchObject({ type: 'hold-ended', why: 'client-left' })
    expect(s.states()).toEqual([
      { task: 'look', state: 'waits', deliveryCount: 0 },
      { task: 'again', state: 'waits', deliveryCount: 0 },
    ])
  })

  it('there is none for an alarm that was set in it and is due at once; the next request has it', async () => {
    const s = await clockScene(entry)
    const { client, over } = await s.ask(request())
    const first = await s.upstream.round(1)
    first.answer({
      toolCalls: [
        clockCall('call_a', { action: 'schedule', items: [wish(s.world.clock.now() + 59 * seconds, 'soon')] }),
      ],
    })
    const second = await s.upstream.round(2)
    await s.world.clock.advance(30 * seconds)
    second.answer({ text: 'Set.' })
    await over
    await s.rest()
    expect(s.holds).toEqual([])
    expect(problemsOf(entry, client.text)).toEqual([])
    const next = await s.ask(request())
    const third = await s.upstream.round(3)
    expect(itemsOf(entry, third.json).at(-1)).toContain(mark('soon'))
    third.answer({ text: 'Done.' })
    await next.over
    await s.rest()
    expect(s.states()).toMatchObject([{ state: 'delivered', deliveryCount: 1 }])
  })

  it.each([true, false])(
    'one may be for an alarm that was set in it more than a minute ahead, with its client kept alive (stream: %s)',
    async (stream) => {
      const s = await clockScene(entry)
      const idle = s.world.clock.pending()
      const { client, over } = await s.ask(request(), { stream })
      const first = await s.upstream.round(1)
      first.answer({
        text: 'Zero.',
        toolCalls: [
          clockCall('call_a', { action: 'schedule', items: [wish(s.world.clock.now() + 61 * seconds, 'later')] }),
        ],
      })
      const second = await s.upstream.round(2)
      await s.world.clock.advance(10 * seconds)
      second.answer({ text: 'Set.' })
      await s.rest()
      expect(s.holds).toMatchObject([{ type: 'hold-started' }])
      const shown = client.text.length
      await s.world.clock.advance(25 * seconds)
      expect(client.text.slice(shown).match(new RegExp(beats[entry] ?? 'never', 'g')) ?? []).toHaveLength(
        beats[entry] && stream ? 2 : 0,
      )
      await s.world.clock.advance(26 * seconds)
      const third = await s.upstream.round(3)
      expect(itemsOf(entry, third.json).at(-1)).toContain(mark('later'))
      third.answer({ text: 'Done.' })
      await over
      await s.rest()
      expect(problemsOf(entry, client.text, stream)).toEqual([])
      expect(joined(heardOf(entry, client.text, stream).text)).toBe('Zero.Set.Done.')
      expect(s.states()).toMatchObject([{ state: 'delivered', deliveryCount: 1 }])
      expect(s.world.clock.pending()).toBeLessThanOrEqual(idle + 1)
    },
  )

  it.each([true, false])(
    'none begins behind an end that the client has already, for an alarm set meanwhile (stream: %s)',
    async (stream) => {
      const s = await clockScene(entry)
      const { client, over } = await s.ask(request(), { stream })
      const first = await s.upstream.round(1)
      first.head()
      const events = first.events({ text: 'A longer text that comes in pieces.' })
      if (stream) for (const event of events.slice(0, 2)) first.data(event)
      await s.world.set('s1', 30 * seconds, 'look')
      if (stream) for (const event of events.slice(2)) first.data(event)
      if (stream) first.end()
      else first.answer({ text: 'A longer text that comes in pieces.' })
      await s.world.clock.advance(31 * seconds)
      if (stream) {
        await over
        expect(s.holds).toEqual([])
        expect(s.upstream.rounds).toHaveLength(1)
        expect(s.states()).toMatchObject([{ state: 'waits' }])
      } else {
        ;(await s.upstream.round(2)).answer({ text: 'Two.' })
        await over
      }
      expect(problemsOf(entry, client.text, stream)).toEqual([])
      expect(client.ended).toBe('whole')
    },
  )

  it('one comes behind the rounds of a stopMessage', async () => {
    const left = ['Continue.']
    const s = await clockScene(entry, {
      next: async () => {
        const text = left.shift()
        return text === undefined ? null : { text }
      },
    })
    await s.world.set('s1', ahead, 'look')
    const { client, over } = await s.ask(request())
    await s.world.clock.advance(taken)
    ;(await s.upstream.round(1)).answer({ text: 'One.' })
    const second = await s.upstream.round(2)
    expect(itemsOf(entry, second.json).at(-1)).toContain('Continue.')
    expect(s.holds).toEqual([])
    second.answer({ text: 'Two.' })
    await s.world.clock.advance(wait)
    const third = await s.upstream.round(3)
    expect(itemsOf(entry, third.json).at(-1)).toContain(mark('look'))
    third.answer({ text: 'Three.' })
    await over
    await s.rest()
    expect(problemsOf(entry, client.text)).toEqual([])
    expect(joined(heardOf(entry, client.text).text)).toBe('One.Two.Three.')
    expect(s.states()).toMatchObject([{ state: 'delivered' }])
  })

  it.each([true, false])(
    'its alarm is delivered also when what follows the further round fails (stream: %s)',
    async (stream) => {
      let asked = 0
      const s = await clockScene(entry, {
        next: async () => {
          if (++asked === 2) throw new Error('the disk is full')
          return null
        },
      })
      await s.world.set('s1', ahead, 'look')
      const { client, over } = await s.ask(request(), { stream })
      await s.world.clock.advance(taken)
      ;(await s.upstream.round(1)).answer({ text: 'One.' })
      await s.world.clock.advance(wait)
      ;(await s.upstream.round(2)).answer({ text: 'Two.' })
      const { error } = await over
      await s.rest()
      expect(error).toBeNull()
      expect(joined(heardOf(entry, client.text, stream).text)).toBe('One.Two.')
      expect(s.states()).toMatchObject([{ state: 'delivered', deliveryCount: 1 }])
    },
  )

  it('there is none in sessions with a terminal, nor behind calls of the client’s own', async () => {
    const { s, over } = await held({ place: 'tmux:s1' })
    await over
    expect(s.holds).toEqual([])
    const own = await held({ says: { toolCalls: [{ name: 'Read', id: 'call_r', input: { path: 'x' } }] } })
    await own.over
    expect(own.s.holds).toEqual([])
  })

  it('an alarm answered with nothing is asked for once more', async () => {
    const { s, client, over } = await held({ tools: [emptyReplyContinue] })
    await s.world.clock.advance(wait)
    ;(await s.upstream.round(2)).answer({})
    const third = await s.upstream.round(3)
    expect(itemsOf(entry, third.json).at(-1)).toContain('continue')
    expect(refusedOf[entry](third.json)).toEqual([])
    third.answer({ text: 'Three.' })
    await over
    await s.rest()
    expect(problemsOf(entry, client.text)).toEqual([])
    expect(joined(heardOf(entry, client.text).text)).toBe('One.Three.')
    expect(s.states()).toMatchObject([{ state: 'delivered', deliveryCount: 1 }])
  })

  it.each([true, false])('the clock may be called in the further round (stream: %s)', async (stream) => {
    const { s, client, over } = await held({ stream })
    await s.world.clock.advance(wait)
    ;(await s.upstream.round(2)).answer({ text: 'Two.', toolCalls: [clockCall('call_a', { action: 'list' })] })
    const third = await s.upstream.round(3)
    expect(third.body.toString()).toMatch(/\\+"task\\+":\\+"look/)
    expect(refusedOf[entry](third.json)).toEqual([])
    third.answer({ text: 'Three.' })
    await over
    await s.rest()
    expect(problemsOf(entry, client.text, stream)).toEqual([])
    expect(heardOf(entry, client.text, stream).calls).toEqual([])
    expect(joined(heardOf(entry, client.text, stream).text)).toBe('One.Two.Three.')
    expect(s.states()).toMatchObject([{ state: 'delivered', deliveryCount: 1 }])
  })

  it('there is none when the exchange has taken its time', async () => {
    const s = await clockScene(entry, { config: { servertools: { maxSeconds: 60 } } })
    await s.world.set('s1', 3 * minute, 'look')
    const { client, over } = await s.ask(request())
    await s.world.clock.advance(2 * minute + seconds)
    ;(await s.upstream.round(1)).answer({ text: 'One.' })
    await over
    expect(s.holds).toEqual([])
    expect(heardOf(entry, client.text)).toMatchObject({ text: 'One.', end: { reason: 'stop' } })
  })
})
