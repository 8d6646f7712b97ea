import { describe, expect, it } from 'vitest'
import { entryProtocols, type EntryProtocol } from '../../../shared/words.ts'
import { calledTool } from '../servertools/testing/tools.ts'
import { heardOf, itemsOf, problemsOf, refusedOf, requestOf, userItem } from './testing/client-view.ts'
import { roundsScene } from './testing/rounds-scene.ts'
import type { Says } from './testing/scripted-upstream.ts'
import { lookTool } from './testing/slow-tool.ts'

const look = (id: string, more: Partial<Says> = {}): Says => ({
  toolCalls: [{ name: 'look', id, input: { of: id } }],
  ...more,
})

/** The member of a result that holds its call's id. */
const resultIds: Readonly<Record<EntryProtocol, RegExp>> = {
  chat: /"tool_call_id":"(\w+)"/g,
  messages: /"tool_use_id":"(\w+)"/g,
  responses: /"type":"function_call_output","call_id":"(\w+)"/g,
  gemini: /"functionResponse":\{"id":"(\w+)"/g,
}

describe.each(entryProtocols)('rounds of a %s answer', (entry) => {
  const request = (more = {}) => requestOf(entry, [userItem(entry, 'Hi')], more)
  const scene = (config = {}) => roundsScene(entry, { tools: [lookTool()], config: { servertools: config } })

  it('are at most as deep as they may be; the last is told so, and what it still calls is taken out', async () => {
    const s = await scene({ maxDepth: 1 })
    const { client, over } = await s.ask(request())
    ;(await s.upstream.round(1)).answer(look('call_a', { text: 'One.' }))
    ;(await s.upstream.round(2)).answer(look('call_b'))
    const third = await s.upstream.round(3)
    third.answer(look('call_c', { text: 'Two.' }))
    const fourth = await s.upstream.round(4)
    expect(refusedOf[entry](fourth.json)).toEqual([])
    const results = itemsOf(entry, fourth.json).join()
    for (const seen of ['seen call_a', 'seen call_b']) expect(results).toContain(seen)
    expect(results).not.toContain('seen call_c')
    expect(results).toContain('as often as it may')
    fourth.answer(look('call_d', { text: 'Three.' }))
    const { end } = await over
    expect(s.upstream.rounds).toHaveLength(4)
    expect(problemsOf(entry, client.text)).toEqual([])
    expect(heardOf(entry, client.text)).toMatchObject({ calls: [], end: { reason: 'stop' } })
    expect(heardOf(entry, client.text).text.replaceAll(/\s+/g, '')).toBe('One.Two.Three.')
    expect(end.summary).toMatchObject({ finish: 'stop', toolNames: [] })
    expect(s.events.at(-1)).toEqual({ type: 'servertool-stripped', tools: ['look'], why: 'depth' })
    expect(end.servertools).toHaveLength(2)
  })

  it('end when they have taken 900 s', async () => {
    let runs = 0
    const slow = calledTool('look', async () => {
      runs++
      return { kind: 'result', text: 'seen' }
    })
    const s = await roundsScene(entry, { tools: [slow], config: { servertools: { maxDepth: 50 } } })
    const { client, over } = await s.ask(request())
    ;(await s.upstream.round(1)).answer(look('call_a'))
    const second = await s.upstream.round(2)
    await s.clock.advance(900_001)
    second.answer(look('call_b'))
    const third = await s.upstream.round(3)
    expect(runs).toBe(1)
    third.answer(look('call_c', { text: 'Well.' }))
    await over
    expect(heardOf(entry, client.text)).toMatchObject({ text: 'Well.', calls: [], end: { reason: 'stop' } })
    expect(s.events.at(-1)).toMatchObject({ why: 'time' })
    expect(runs).toBe(1)
  })

  it('carry the ids of their calls, and the whole answer with its thinking', async () => {
    const s = await scene()
    const { over } = await s.ask(request())
    ;(await s.upstream.round(1)).answer({
      thinking: 'Deep thought.',
      text: 'One.',
      toolCalls: [
        { name: 'look', id: 'call_a', input: {} },
        { name: 'look', id: 'call_b', input: {} },
      ],
    })
    const second = await s.upstream.round(2)
    expect([...second.body.toString().matchAll(resultIds[entry])].map(([, id]) => id)).toEqual(['call_a', 'call_b'])
    expect(second.body.toString()).toContain('Deep thought.')
    if (entry === 'messages') expect(second.body.toString()).toContain('"signature":"sig_mock1"')
    if (entry === 'responses') expect(second.body.toString()).toContain('"encrypted_content":"enc_mock1"')
    if (entry === 'gemini') expect(second.body.toString()).toContain(Buffer.from('sig_mock1').toString('base64'))
    expect(refusedOf[entry](second.json)).toEqual([])
    second.answer({ text: 'Two.' })
    await over
  })

  it('stay with provider and key, and none is asked for twice by an idempotency key', async () => {
    const s = await scene()
    for (let turn = 0; turn < 2; turn++) {
      const { over } = await s.ask(request())
      ;(await s.upstream.round(turn * 2 + 1)).answer(look(`call_${turn}`))
      ;(await s.upstream.round(turn * 2 + 2)).answer({ text: 'Two.' })
      await over
      expect(s.chosen).toBe(turn + 1)
    }
    const keyOf = (i: number) => /sk-\d/.exec(JSON.stringify(s.upstream.rounds[i]?.request.headers))?.[0]
    expect([0, 1, 2, 3].map(keyOf)).toEqual(['sk-1', 'sk-1', 'sk-2', 'sk-2'])
    expect(s.upstream.rounds.map(({ request: { headers } }) => headers['idempotency-key'])).toEqual([
      'once',
      undefined,
      'once',
      undefined,
    ])
    expect(s.reports.filter(({ outcome }) => outcome.kind === 'answered')).toHaveLength(4)
  })

  it.each([true, false])('count the input of the last and the output of all (stream: %s)', async (stream) => {
    const s = await scene()
    const { client, over } = await s.ask(
      request(entry === 'chat' && stream ? { stream_options: { include_usage: true } } : {}),
      { stream },
    )
    ;(await s.upstream.round(1)).answer(
      look('call_a', { text: 'One.', usage: { input: 100, cachedInput: 40, output: 30, reasoning: 10 } }),
    )
    ;(await s.upstream.round(2)).answer({
      text: 'Two.',
      usage: { input: 150, cachedInput: 90, output: 7, reasoning: 2 },
    })
    const { end } = await over
    expect(heardOf(entry, client.text, stream).end).toMatchObject({
      usage: { input: 150, cachedInput: 90, output: 37 },
    })
    expect(end.summary.usage).toEqual({
      input: 250,
      cachedInput: 130,
      output: 37,
      reasoning: 12,
    })
  })
})
