import { describe, expect, it } from 'vitest'
import { entryProtocols } from '../../../../shared/words.ts'
import { heardOf, historyOf, itemsOf, requestOf, userItem } from '../testing/client-view.ts'
import { roundsScene } from '../testing/rounds-scene.ts'
import { lookTool } from '../testing/slow-tool.ts'

const calls = { text: 'One.', toolCalls: [{ name: 'look', id: 'call_a', input: {} }] }

describe.each(entryProtocols)('the history of a %s session', (entry) => {
  const hi = userItem(entry, 'Hi')
  const more = userItem(entry, 'More.')
  /** A session whose first answer had two rounds. */
  async function begun(options = {}) {
    const s = await roundsScene(entry, { tools: [lookTool()], ...options })
    const { client, over } = await s.ask(requestOf(entry, [hi]))
    ;(await s.upstream.round(1)).answer(calls)
    const second = await s.upstream.round(2)
    second.answer({ text: 'Two.' })
    await over
    const next = async (history: Parameters<typeof requestOf>[1], members = {}) => {
      const n = s.upstream.rounds.length + 1
      const asked = await s.ask(requestOf(entry, history, members))
      const up = await s.upstream.round(n)
      up.answer({ text: 'Three.' })
      await asked.over
      return up
    }
    return { s, next, answer: historyOf(entry, client.text), text: client.text, second }
  }

  it('is whole again in every later request', async () => {
    const { s, next, answer, second } = await begun()
    for (let i = 0; i < 2; i++) {
      const up = await next([hi, ...answer, more])
      expect(itemsOf(entry, up.json).slice(0, itemsOf(entry, second.json).length)).toEqual(itemsOf(entry, second.json))
    }
    expect(await s.hiddenOf()).toHaveLength(1)
  })

  it('is forgotten where the client has its answer no more', async () => {
    const { s, next } = await begun()
    const other = [
      hi,
      ...(entry === 'gemini'
        ? [{ role: 'model', parts: [{ text: 'A summary.' }] }]
        : [{ role: 'assistant', content: 'A summary.' }]),
      more,
    ]
    expect(itemsOf(entry, (await next(other)).json)).toHaveLength(3)
    expect(await s.hiddenOf()).toEqual([])
  })

  it('stays where nothing but a beginning is asked about', async () => {
    const { s, next } = await begun()
    await next([hi])
    expect(await s.hiddenOf()).toHaveLength(1)
  })

  it('is nobody’s without a session', async () => {
    const { s, next, answer } = await begun({ sessionId: null })
    expect((await next([hi, ...answer, more])).body.toString()).not.toContain('seen call_a')
    expect([...s.files.content.keys()].filter((path) => path.includes('servertool-pending'))).toEqual([])
  })
})

describe('a client that names the response before', () => {
  it('goes on from the last round with its provider, and hidden calls of it get their results', async () => {
    const s = await roundsScene('responses', { tools: [lookTool()] })
    const hi = userItem('responses', 'Hi')
    const first = await s.ask(requestOf('responses', [hi]))
    ;(await s.upstream.round(1)).answer(calls)
    ;(await s.upstream.round(2)).answer({
      text: 'Two.',
      toolCalls: [
        { name: 'look', id: 'call_c', input: {} },
        { name: 'Read', id: 'call_d', input: { path: 'x' } },
      ],
    })
    await first.over
    expect(heardOf('responses', first.client.text).calls.map(({ id }) => id)).toEqual(['call_d'])
    const id = /"id":"(resp_\w+)"/.exec(first.client.text)?.[1]
    const next = await s.ask(
      requestOf('responses', [{ type: 'function_call_output', call_id: 'call_d', output: 'own' }], {
        previous_response_id: id,
      }),
    )
    const up = await s.upstream.round(3)
    expect(up.json['previous_response_id']).toBe('resp_mock2')
    expect(itemsOf('responses', up.json).map((item): unknown => JSON.parse(item))).toMatchObject([
      { call_id: 'call_c', output: 'seen call_c' },
      { call_id: 'call_d', output: 'own' },
    ])
    up.answer({ text: 'Three.' })
    await next.over
    expect(await s.hiddenOf()).toHaveLength(1)
  })
})
