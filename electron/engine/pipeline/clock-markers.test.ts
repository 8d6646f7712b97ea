import { describe, expect, it } from 'vitest'
import { entryProtocols } from '../../../shared/words.ts'
import { heardOf, itemsOf, problemsOf, requestOf, userItem } from './testing/client-view.ts'
import { clockScene, mark, minute, type ClockSceneOptions } from './testing/clock-scene.ts'

const soon = '2026-11-21T14:10:00Z'

describe.each(entryProtocols)('clock markers of a %s client', (entry) => {
  async function said(
    text: string,
    {
      options = {},
      retry = false,
      stream = true,
      before = 0,
    }: { options?: ClockSceneOptions; retry?: boolean; stream?: boolean; before?: number } = {},
  ) {
    const s = await clockScene(entry, options)
    for (let i = 0; i < before; i++) await s.world.set('s1', (20 + i) * minute, `earlier ${i}`)
    const asked = await s.ask(requestOf(entry, [userItem(entry, text)]), { stream, retry })
    return { s, ...asked }
  }
  const set = (message: string, time = soon) => `<**clock:{"time":"${time}","message":"${message}"}**>`

  it.each([
    ['as JSON writes it', set('stretch')],
    ['in full-width signs', '<**clock：{“time”：“2026-11-21T22:10:00+08:00”，“message”：“stretch”}**>'],
  ])('set an alarm as the user before the request goes on, %s', async (_, marker) => {
    const { s, over } = await said(`Build it. ${marker}`)
    const first = await s.upstream.round(1)
    expect(s.alarms.of('s1')).toMatchObject([{ task: 'stretch', setBy: 'user', dueAtMs: Date.parse(soon) }])
    expect(itemsOf(entry, first.json)).toHaveLength(1)
    expect(itemsOf(entry, first.json)[0]).toContain('Build it.')
    expect(first.body.toString()).not.toMatch(/stretch|clock:/)
    first.answer({ text: 'Built.' })
    await over
  })

  it('in a message that was cut and comes joined with the next one act once', async () => {
    const text = `Build it. ${set('stretch')}`
    const { s, over } = await said(text)
    const first = await s.upstream.round(1)
    first.answer({ text: 'Built.' })
    await over
    const joined = (behind: string) =>
      entry === 'gemini'
        ? { role: 'user', parts: [{ text }, { text: behind }] }
        : { role: 'user', content: [text, behind].map((words) => ({ type: 'text', text: words })) }
    const clear = userItem(entry, 'Never mind. <**clock:clear**>')
    // A person who says it again means it, whatever their client puts after it.
    const again = joined('<system-reminder>\nAll is well.\n</system-reminder>')
    const after = [clear, joined('Go on.'), userItem(entry, text), clear, again]
    for (const [i, item] of after.entries()) {
      const next = await s.ask(requestOf(entry, [item]))
      const round = await s.upstream.round(2 + i)
      expect(s.alarms.of('s1')).toHaveLength([0, 0, 1, 0, 1][i] ?? 0)
      round.answer({ text: 'Well.' })
      await next.over
    }
  })

  it('one that is due at once goes with the next request, not with the one that set it', async () => {
    const { s, over } = await said(`Build it. ${set('stretch', '2026-11-21T14:00:30Z')}`)
    const first = await s.upstream.round(1)
    expect(itemsOf(entry, first.json)).toHaveLength(1)
    first.answer({ text: 'Built.' })
    await over
    const next = await s.ask(requestOf(entry, [userItem(entry, 'And?')]))
    const second = await s.upstream.round(2)
    expect(itemsOf(entry, second.json).at(-1)).toContain(mark('stretch'))
    second.answer({ text: 'Well.' })
    await next.over
  })

  it.each([true, false])('alone are answered by Onward itself (stream: %s)', async (stream) => {
    const { s, client, over } = await said('<**clock:clear**>', { stream, before: 2 })
    const { error } = await over
    expect(error).toBeNull()
    expect(s.upstream.rounds).toHaveLength(0)
    expect(problemsOf(entry, client.text, stream)).toEqual([])
    expect(heardOf(entry, client.text, stream).text).toBe('Onward: 2 alarms cancelled.')
    expect(s.alarms.of('s1')).toEqual([])
  })

  it('in one message count in their order: an alarm behind a clear stays', async () => {
    const cleared = await said(`<**clock:clear**>${set('stretch')}`, { before: 1 })
    await cleared.over
    expect(heardOf(entry, cleared.client.text).text).toMatch(/^Onward: 1 alarm cancelled\. Alarm set for /)
    expect(cleared.s.alarms.of('s1').map(({ task }) => task)).toEqual(['stretch'])
    const none = await said(`${set('stretch')}<**clock:clear**>`, { before: 1 })
    await none.over
    expect(none.s.alarms.of('s1')).toEqual([])
  })

  it('in a request that is sent again apply nothing twice', async () => {
    for (const text of [set('stretch'), `Build it. ${set('stretch')}`, 'Build it. <**clock:clear**>']) {
      const { s, client, over } = await said(text, { retry: true, before: 1 })
      s.upstream.rounds[0]?.answer({ text: 'Built.' })
      await over
      expect(s.alarms.of('s1').map(({ task }) => task)).toEqual(['earlier 0'])
      expect(heardOf(entry, client.text).text).toBe(text.startsWith('Build') ? 'Built.' : 'Onward: done already.')
    }
  })

  it('without a session are refused, and the request goes on without them', async () => {
    const { s, over } = await said(`Build it. ${set('stretch')} <**clock:clear**>`, { options: { sessionId: null } })
    const first = await s.upstream.round(1)
    expect(first.body.toString()).not.toContain('clock:')
    first.answer({ text: 'Built.' })
    const { error } = await over
    expect(error).toBeNull()
    expect(s.alarms.next().waiting).toBe(0)
    const alone = await said(set('stretch'), { options: { sessionId: null } })
    await alone.over
    expect(heardOf(entry, alone.client.text).text).toContain('names no session')
  })

  it.each([
    ['a time that is over', '2026-11-21T13:00:00Z'],
    ['no zone', '2026-11-21T15:00:00'],
    ['no time', 'soon'],
  ])('with %s set nothing', async (_, time) => {
    const { s, over } = await said(`Build it. ${set('stretch', time)}`)
    const first = await s.upstream.round(1)
    expect(first.body.toString()).not.toContain('clock:')
    first.answer({ text: 'Built.' })
    await over
    expect(s.alarms.of('s1')).toEqual([])
  })
})

it.each([true, false])('an answer of Onward’s own tells a Chat client usage as it asked to (%s)', async (asked) => {
  const s = await clockScene('chat')
  const request = requestOf(
    'chat',
    [userItem('chat', '<**clock:clear**>')],
    asked ? { stream_options: { include_usage: true } } : {},
  )
  const { client, over } = await s.ask(request)
  await over
  expect(heardOf('chat', client.text).text).not.toBe('')
  expect(client.text.includes('"usage":{')).toBe(asked)
})
