import { describe, expect, it } from 'vitest'
import { entryProtocols } from '../../../shared/words.ts'
import { emptyReplyContinue } from '../servertools/empty-reply.ts'
import { calledTool } from '../servertools/testing/tools.ts'
import { heardOf, historyOf, itemsOf, problemsOf, refusedOf, requestOf, userItem } from './testing/client-view.ts'
import { roundsScene } from './testing/rounds-scene.ts'
import { atFirstWord, jsonType, type Says } from './testing/scripted-upstream.ts'
import { lookTool } from './testing/slow-tool.ts'
import type { Turn } from './turn.ts'

const look = (id: string, more: Partial<Says> = {}): Says => ({ toolCalls: [{ name: 'look', id, input: {} }], ...more })

describe.each(entryProtocols)('answers in every form for a %s client', (entry) => {
  const hi = userItem(entry, 'Hi')
  const request = (more = {}) => requestOf(entry, [hi], more)
  const scene = (options = {}) => roundsScene(entry, { tools: [lookTool()], ...options })

  it.each([true, false])('several hidden calls are answered together (stream: %s)', async (stream) => {
    const s = await roundsScene(entry, {
      tools: [lookTool(), calledTool('find', async ({ id }) => ({ kind: 'result', text: `found ${id}` }))],
    })
    const { client, over } = await s.ask(request(), { stream })
    ;(await s.upstream.round(1)).answer({
      text: 'One.',
      toolCalls: [
        { name: 'look', id: 'call_a', input: {} },
        { name: 'find', id: 'call_b', input: { x: '"look"' } },
        { name: 'look', id: 'call_c', input: {} },
      ],
    })
    const second = await s.upstream.round(2)
    expect(refusedOf[entry](second.json)).toEqual([])
    const sent = second.body.toString()
    expect(
      ['seen call_a', 'found call_b', 'seen call_c']
        .map((text) => sent.indexOf(text))
        .every((at, i, all) => at > (all[i - 1] ?? 0)),
    ).toBe(true)
    second.answer({ text: 'Two.' })
    await over
    expect(problemsOf(entry, client.text, stream)).toEqual([])
    expect(heardOf(entry, client.text, stream).calls).toEqual([])
  })

  it('a line end that came in two pieces goes where its event went', async () => {
    const events = async (end: (text: string) => readonly string[]) => {
      const s = await scene()
      const { client, over } = await s.ask(request())
      const first = await s.upstream.round(1)
      const says = {
        text: 'One.',
        toolCalls: [
          { name: 'look', id: 'call_a', input: {} },
          { name: 'Read', id: 'call_b', input: { path: 'x' } },
        ],
      }
      first.head()
      for (const event of first.events(says)) for (const piece of end(event)) first.data(Buffer.from(piece))
      first.end()
      await over
      return client.text.replaceAll('\r', '').trimEnd()
    }
    const lines = (text: string) => text.replaceAll(/\r?\n/g, '\r\n')
    const cut = await events((text) => [lines(text).slice(0, -1), '\n'])
    expect(cut).toBe(await events((text) => [lines(text)]))
    expect(cut).not.toContain('look')
  })

  it('beside calls of the client’s own the answer ends, and the results stand beside the client’s', async () => {
    const s = await scene()
    const { client, over } = await s.ask(request())
    ;(await s.upstream.round(1)).answer({
      text: 'One.',
      toolCalls: [
        { name: 'look', id: 'call_a', input: {} },
        { name: 'Read', id: 'call_b', input: { path: 'x' } },
      ],
    })
    const { end } = await over
    expect(problemsOf(entry, client.text)).toEqual([])
    expect(heardOf(entry, client.text)).toMatchObject({
      text: 'One.',
      calls: [{ name: 'Read' }],
      end: { reason: 'tool-calls' },
    })
    expect(end.summary).toMatchObject({ finish: 'tool-calls', toolNames: ['Read'] })
    const next = await s.ask(requestOf(entry, [hi, ...historyOf(entry, client.text)]))
    const second = await s.upstream.round(2)
    expect(refusedOf[entry](second.json)).toEqual([])
    expect(second.body.toString()).toContain('seen call_a')
    second.answer({ text: 'Done.' })
    await next.over
  })

  it.each([true, false])(
    'a hidden call in an answer that was cut off is answered like any other (stream: %s)',
    async (stream) => {
      const s = await scene()
      const { client, over } = await s.ask(request(), { stream })
      ;(await s.upstream.round(1)).answer(look('call_a', { text: 'One.', finish: 'length' }))
      ;(await s.upstream.round(2)).answer({ text: 'Two.' })
      const { end } = await over
      expect(problemsOf(entry, client.text, stream)).toEqual([])
      expect(heardOf(entry, client.text, stream)).toMatchObject({ calls: [], end: { reason: 'stop' } })
      expect(end.summary.finish).toBe('stop')
    },
  )

  it('a last round that was cut off says so', async () => {
    const s = await scene({ tools: [lookTool(), emptyReplyContinue] })
    const { client, over } = await s.ask(request())
    ;(await s.upstream.round(1)).answer(look('call_a'))
    ;(await s.upstream.round(2)).answer({ text: 'Two', finish: 'length' })
    await over
    expect(s.upstream.rounds).toHaveLength(2)
    expect(heardOf(entry, client.text)).toMatchObject({ text: 'Two', end: { reason: 'length' } })
  })

  it.each([true, false])('one that is too large to be sent back ends behind its words (stream: %s)', async (stream) => {
    const s = await scene()
    const { client, over } = await s.ask(request(), { stream })
    const first = await s.upstream.round(1)
    // a Responses stream says its text five times
    const megabytes = !stream || entry === 'responses' ? 4 : 16
    first.answer(look('call_a', { text: 'x'.repeat(megabytes * 1024 * 1024), piece: 400_000 }))
    if (!stream) {
      ;(await s.upstream.round(2)).answer({ text: 'Two.' })
      await over
      expect(heardOf(entry, client.text, stream)).toMatchObject({ calls: [], end: { reason: 'stop' } })
      return
    }
    const { error } = await over
    expect(error).toBeNull()
    expect(s.upstream.rounds).toHaveLength(1)
    const { text } = client
    expect(problemsOf(entry, text)).toEqual([])
    expect(text).not.toContain('call_a')
    expect(await s.hiddenOf()).toEqual([])
  })

  it('JSON that is too large to be held goes by as it comes, without being taken for an empty answer', async () => {
    const s = await scene({ tools: [lookTool(), emptyReplyContinue] })
    const { client, over } = await s.ask(request(), { stream: false })
    const first = await s.upstream.round(1)
    first.answer({ text: 'x'.repeat(9 * 1024 * 1024) })
    const { error } = await over
    expect(error).toBeNull()
    expect(heardOf(entry, client.text, false).text).toHaveLength(9 * 1024 * 1024)
    expect(s.events).toEqual([])
  })

  it('a stream without a label is one all the same', async () => {
    const s = await scene()
    const { client, over } = await s.ask(request())
    for (const [n, says] of [
      [1, look('call_a', { text: 'One.' })],
      [2, { text: 'Two.' }],
    ] as const) {
      const round = await s.upstream.round(n)
      round.head(200, 'text/plain')
      for (const event of round.events(says)) round.data(event)
      round.end()
    }
    await over
    expect(problemsOf(entry, client.text)).toEqual([])
    expect(heardOf(entry, client.text).text.replaceAll(/\s/g, '')).toBe('One.Two.')
  })

  it('JSON where a stream was asked for is taken over as JSON, and the other way round', async () => {
    const s = await scene()
    for (const [i, form] of (['json', 'stream'] as const).entries()) {
      const { client, over } = await s.ask(request(), { stream: form === 'json' })
      ;(await s.upstream.round(i * 2 + 1)).answer(look('call_a', { text: 'One.' }), form)
      ;(await s.upstream.round(i * 2 + 2)).answer({ text: 'Two.' }, form)
      const { error } = await over
      expect(error).toBeNull()
      expect(problemsOf(entry, client.text, form === 'stream')).toEqual([])
      expect(heardOf(entry, client.text, form === 'stream')).toMatchObject({ calls: [], end: { reason: 'stop' } })
    }
  })

  it('an error is handed on as it came', async () => {
    const s = await scene({ tools: [lookTool(), emptyReplyContinue] })
    const { client, over } = await s.ask(request())
    const first = await s.upstream.round(1)
    first.head(400, jsonType)
    first.data('{"error":{"message":"look"}}')
    first.end()
    const { end } = await over
    expect([client.heads[0]?.status, client.text]).toEqual([400, '{"error":{"message":"look"}}'])
    expect(end.status).toBe(400)
    expect(s.events).toEqual([])
  })

  it('without a hidden call every byte goes by as it came, but for Onward’s tools in the request', async () => {
    const s = await scene({ tools: [lookTool(), emptyReplyContinue] })
    for (const [i, says] of [
      { thinking: 'Hm.', text: 'Say "look" {"name":"look"}.' },
      { toolCalls: [{ name: 'Read', id: 'call_b', input: { path: 'look' } }] },
      { text: 'Cut', finish: 'length' as const },
    ].entries()) {
      const { client, over } = await s.ask(request())
      const round = await s.upstream.round(i + 1)
      round.head()
      let sent = ''
      for (const event of round.events(says)) {
        round.data(event)
        sent += event
      }
      round.end()
      await over
      expect(client.text).toBe(sent.replaceAll(/,\{"type":"function","name":"look",.*?"strict":false\}/g, ''))
      expect(client.text).not.toContain('Does look.')
    }
    expect(await s.hiddenOf()).toEqual([])
  })

  it('a client without room makes the round under way wait', async () => {
    const s = await scene()
    const { client, over } = await s.ask(request())
    const first = await s.upstream.round(1)
    first.answer(look('call_a', { text: 'One.' }))
    const second = await s.upstream.round(2)
    client.fill()
    second.head()
    const events = second.events({ text: 'A longer text that comes in pieces.' })
    expect(events.map((event) => second.data(event))).toContain(false)
    client.drain()
    expect([first.resumed, second.resumed]).toEqual([0, 1])
    second.end()
    await over
    expect(problemsOf(entry, client.text)).toEqual([])
  })

  it('the request’s bytes are let go when nothing reads them any more', async () => {
    const s = await scene()
    const held = ({ draft, call }: Turn) => [draft.lens.body.length, call.body.length, draft.tools]
    const { turn, over } = await s.ask(request())
    ;(await s.upstream.round(1)).answer(look('call_a'))
    const second = await s.upstream.round(2)
    expect(held(turn)).toEqual([0, 0, []])
    expect(itemsOf(entry, second.json)[0]).toContain('Hi')
    second.answer({ text: 'Two.' })
    await over

    const without = await scene({ config: { servertools: { enabled: false } } })
    const plain = await without.ask(request())
    const only = await without.upstream.round(1)
    only.head()
    for (const event of atFirstWord(only.events({ text: 'A longer text that comes in pieces.' }))[0]) only.data(event)
    expect(held(plain.turn)).toEqual([0, 0, []])
    plain.client.leave()
    await plain.over
  })

  it('a request for several answers has none of Onward’s tools', async () => {
    if (entry !== 'chat' && entry !== 'gemini') return
    const s = await scene({ tools: [lookTool(), emptyReplyContinue] })
    const { over } = await s.ask(request(entry === 'chat' ? { n: 2 } : { generationConfig: { candidateCount: 2 } }))
    const first = await s.upstream.round(1)
    expect(first.body.toString()).not.toContain('look')
    first.answer({})
    await over
    expect(s.upstream.rounds).toHaveLength(1)
  })
})
