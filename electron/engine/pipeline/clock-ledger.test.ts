import { describe, expect, it } from 'vitest'
import { conversationIn } from '../../../e2e/support/provider-history.ts'
import { entryProtocols } from '../../../shared/words.ts'
import type { JsonObject } from '../protocol/values.ts'
import { listOf } from '../protocol/server-tools/testing/requests.ts'
import { historyOf, itemsOf, refusedOf, requestOf, userItem } from './testing/client-view.ts'
import { clockCall, clockScene, mark, seconds, type ClockScene } from './testing/clock-scene.ts'
import type { Says, UpstreamRound } from './testing/scripted-upstream.ts'

const due = 30 * seconds

describe.each(entryProtocols)('the reminder in the history of a %s client', (entry) => {
  const hi = userItem(entry, 'Hi')
  /** the provider's conversation without the time */
  const sent = ({ body }: UpstreamRound) => conversationIn(listOf[entry], body)

  /** One turn whose rounds say this. @returns what the client keeps, and the requests of its rounds */
  async function turn(s: ClockScene, history: readonly JsonObject[], ...rounds: Says[]) {
    const before = s.upstream.rounds.length
    const { client, over } = await s.ask(requestOf(entry, history))
    for (const [i, says] of rounds.entries()) {
      const round = await s.upstream.round(before + i + 1)
      expect(refusedOf[entry](round.json)).toEqual([])
      round.answer(says)
    }
    const { error } = await over
    expect(error).toBeNull()
    await s.rest()
    return { history: [...history, ...historyOf(entry, client.text)], asked: s.upstream.rounds.slice(before) }
  }
  const begins = (later: UpstreamRound, earlier: UpstreamRound) =>
    expect(sent(later).slice(0, sent(earlier).length)).toEqual(sent(earlier))

  it.each([false, true])(
    'stands where it stood, byte for byte, in every later request (time told: %s)',
    async (tag) => {
      const s = await clockScene(entry, { tag })
      await s.world.set('s1', due, 'look')
      const first = await turn(s, [hi], { text: 'One.' })
      const asked = [...first.asked]
      let { history } = first
      for (const says of [
        [{ text: 'Two.' }],
        [{ text: 'Three.', toolCalls: [clockCall('call_a', { action: 'get' })] }, { text: 'Four.' }],
        [{ text: 'Five.' }],
      ]) {
        const next = await turn(s, [...history, userItem(entry, 'More.')], ...says)
        asked.push(...next.asked)
        history = next.history
      }
      for (const [i, one] of asked.entries()) {
        const before = asked[i - 1]
        if (before) begins(one, before)
        expect(itemsOf(entry, one.json).filter((item) => item.includes(mark('look')))).toHaveLength(1)
      }
      expect(s.states()).toMatchObject([{ state: 'delivered', deliveryCount: 1 }])
    },
  )

  it('stands behind what the client ran itself, in a round of its own tools', async () => {
    const s = await clockScene(entry)
    const first = await turn(s, [hi], {
      text: 'One.',
      toolCalls: [{ name: 'Read', id: 'call_r', input: { path: 'x' } }],
    })
    await s.world.set('s1', due, 'look')
    const second = await turn(s, first.history, {
      text: 'Two.',
      toolCalls: [{ name: 'Read', id: 'call_q', input: { path: 'y' } }, clockCall('call_a', { action: 'get' })],
    })
    const [ran] = second.asked
    expect(ran && itemsOf(entry, ran.json).at(-1)).toContain(mark('look'))
    const third = await turn(s, second.history, { text: 'Three.' })
    const [last] = third.asked
    if (!ran || !last) throw new Error('both were asked')
    begins(last, ran)
    expect(last.body.toString()).toContain('nowMs')
  })

  it('that was refused behind a tool’s result does not come behind one again, but with the next words', async () => {
    const s = await clockScene(entry, { rules: { holdMaxMs: 0 } })
    const first = await turn(s, [hi], {
      text: 'One.',
      toolCalls: [{ name: 'Read', id: 'call_r', input: { path: 'x' } }],
    })
    await s.world.set('s1', due, 'look')
    const refused = await s.ask(requestOf(entry, first.history))
    const second = await s.upstream.round(2)
    expect(second.body.toString()).toContain('scheduled task')
    second.refuse(400)
    await refused.over
    await s.rest()
    expect(s.states()).toMatchObject([{ state: 'waits', deliveryCount: 0 }])
    const again = await turn(s, first.history, { text: 'Two.' })
    expect(again.asked[0]?.body.toString()).not.toContain('scheduled task')
    const words = await turn(s, [...again.history, userItem(entry, 'More.')], { text: 'Three.' })
    expect(words.asked[0]?.body.toString()).toContain('scheduled task')
    expect(s.states()).toMatchObject([{ state: 'delivered', deliveryCount: 1 }])
  })

  it('survives the engine, with markers in the history', async () => {
    const s = await clockScene(entry, { tag: true })
    await s.world.set('s1', due, 'look')
    const asks = userItem(entry, 'Hi <**!p.m**> there')
    const first = await turn(s, [asks], { text: 'One.' })
    expect(first.asked[0]?.body.toString()).not.toContain('<**')
    const later = await clockScene(entry, { tag: true, world: s.world, earlier: { files: s.files, listOf: s.listOf } })
    const second = await turn(later, [...first.history, userItem(entry, 'More.')], { text: 'Two.' })
    const [a, b] = [...first.asked, ...second.asked]
    if (!a || !b) throw new Error('both were asked')
    begins(b, a)
    expect(b.body.toString()).toContain('scheduled task')
  })

  it('is forgotten with the answer that the client compacts away', async () => {
    const s = await clockScene(entry)
    await s.world.set('s1', due, 'look')
    const first = await turn(s, [hi], { text: 'One.' })
    expect(await s.hiddenOf()).toHaveLength(1)
    const kept = await turn(s, [...first.history, userItem(entry, 'More.')], { text: 'Two.' })
    const compacted = [
      userItem(entry, 'What was said so far.'),
      ...kept.history.slice(first.history.length + 1),
      userItem(entry, 'Go on.'),
    ]
    const next = await turn(s, compacted, { text: 'Three.' })
    expect(next.asked[0]?.body.toString()).not.toContain('scheduled task')
    expect(await s.hiddenOf()).toEqual([])
  })

  it('is followed by the time in the client’s own request alone', async () => {
    const s = await clockScene(entry, { tag: true })
    await s.world.set('s1', 90 * seconds, 'look')
    const { client, over } = await s.ask(requestOf(entry, [hi]))
    await s.world.clock.advance(40 * seconds)
    ;(await s.upstream.round(1)).answer({ text: 'Zero.', toolCalls: [clockCall('call_a', { action: 'get' })] })
    ;(await s.upstream.round(2)).answer({ text: 'One.' })
    await s.world.clock.advance(50 * seconds)
    ;(await s.upstream.round(3)).answer({ text: 'Two.' })
    await over
    await s.rest()
    expect(client.text).not.toContain('Time/Date')
    const next = await turn(s, [hi, ...historyOf(entry, client.text), userItem(entry, 'More.')], { text: 'Three.' })
    const all = [...s.upstream.rounds.slice(0, 3), ...next.asked]
    expect(all.map(({ body }) => body.toString().match(/Time\/Date/g)?.length ?? 0)).toEqual([1, 0, 0, 1])
    for (const { json } of [all[0], all[3]].flatMap((one) => one ?? []))
      expect(itemsOf(entry, json).at(-1)).toContain('[Time/Date]: utc=')
    for (const [i, one] of all.entries()) {
      const before = all[i - 1]
      if (before) begins(one, before)
    }
    expect(JSON.stringify(await s.hiddenOf())).not.toContain('Time/Date')
  })
})
