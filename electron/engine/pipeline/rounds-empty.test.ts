import { describe, expect, it } from 'vitest'
import { entryProtocols, type EntryProtocol } from '../../../shared/words.ts'
import { followup } from '../protocol/testing/hand-back.ts'
import type { JsonObject } from '../protocol/values.ts'
import { emptyReplyContinue } from '../servertools/empty-reply.ts'
import { heardOf, historyOf, itemsOf, problemsOf, refusedOf, requestOf, userItem } from './testing/client-view.ts'
import { roundsScene } from './testing/rounds-scene.ts'
import type { Says } from './testing/scripted-upstream.ts'
import { lookTool } from './testing/slow-tool.ts'

const look = (id: string, more: Partial<Says> = {}): Says => ({ toolCalls: [{ name: 'look', id, input: {} }], ...more })

/** A call of the client's own, as it keeps it. */
const called: Record<EntryProtocol, JsonObject[]> = {
  chat: [
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'Read', arguments: '{}' } }],
    },
  ],
  responses: [{ type: 'function_call', call_id: 'call_1', name: 'Read', arguments: '{}' }],
  messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'Read', input: {} }] }],
  gemini: [{ role: 'model', parts: [{ functionCall: { name: 'Read', args: {} } }] }],
}

describe.each(entryProtocols)('a %s answer without words', (entry) => {
  const request = () => requestOf(entry, [userItem(entry, 'Hi')])

  it.each([true, false])('tells of what was done, which never goes up again (stream: %s)', async (stream) => {
    const s = await roundsScene(entry, { tools: [lookTool()] })
    const { client, over } = await s.ask(request(), { stream })
    ;(await s.upstream.round(1)).answer(look('call_a'), stream ? 'stream' : 'json')
    ;(await s.upstream.round(2)).answer({})
    await over
    expect(problemsOf(entry, client.text, stream)).toEqual([])
    expect(heardOf(entry, client.text, stream)).toMatchObject({
      text: '(Onward: looked)',
      calls: [],
      end: { reason: 'stop' },
    })
    expect((await s.hiddenOf()).map(({ hidden }) => hidden.filler)).toEqual([true])
    if (!stream) return

    const next = await s.ask(
      requestOf(entry, [userItem(entry, 'Hi'), ...historyOf(entry, client.text), userItem(entry, 'Go on.')]),
    )
    const third = await s.upstream.round(3)
    expect(third.body.toString()).not.toContain('Onward:')
    expect(third.body.toString()).toContain('seen call_a')
    third.answer({ text: 'Well.' })
    await next.over
  })

  it('is left alone when it has a call of the client’s own, or thinking and words in an earlier round', async () => {
    const s = await roundsScene(entry, { tools: [lookTool()] })
    const own = await s.ask(request())
    ;(await s.upstream.round(1)).answer(look('call_a'))
    ;(await s.upstream.round(2)).answer({ toolCalls: [{ name: 'Read', id: 'call_b', input: { path: 'x' } }] })
    await own.over
    expect(heardOf(entry, own.client.text)).toMatchObject({ text: '', calls: [{ name: 'Read' }] })
    const before = await s.ask(request())
    ;(await s.upstream.round(3)).answer(look('call_c', { text: 'I looked.' }))
    ;(await s.upstream.round(4)).answer({})
    await before.over
    expect(heardOf(entry, before.client.text).text.trim()).toBe('I looked.')
  })

  it.each([true, false])('is asked for once more, with all that was said (stream: %s)', async (stream) => {
    const s = await roundsScene(entry, { tools: [emptyReplyContinue] })
    const { client, over } = await s.ask(request(), { stream })
    ;(await s.upstream.round(1)).answer({})
    const second = await s.upstream.round(2)
    expect(itemsOf(entry, second.json).at(-1)).toContain('continue')
    expect(refusedOf[entry](second.json)).toEqual([])
    second.answer({ text: 'Here I am.' })
    const { error } = await over
    expect(error).toBeNull()
    expect(problemsOf(entry, client.text, stream)).toEqual([])
    expect(heardOf(entry, client.text, stream)).toMatchObject({ text: 'Here I am.', end: { reason: 'stop' } })
    expect(s.events).toMatchObject([{ type: 'servertool-reacted', tool: 'empty_reply_continue' }])
  })

  it.each(entryProtocols)('is Claude’s end of a turn behind a tool’s result (over %s)', async (provider) => {
    for (const model of ['claude-sonnet-5', 'gemini-3-pro'])
      for (const results of [true, false]) {
        const s = await roundsScene(entry, { provider, tools: [emptyReplyContinue], upstreamModel: model })
        const history = results ? [...called[entry], ...followup(entry, called[entry])] : [userItem(entry, 'Hi again')]
        const { client, over } = await s.ask(requestOf(entry, [userItem(entry, 'Hi'), ...history]))
        ;(await s.upstream.round(1)).answer({})
        const isEnd = results && model.startsWith('claude')
        if (!isEnd) (await s.upstream.round(2)).answer({ text: 'Here I am.' })
        expect((await over).end.summary.finish).toBe('stop')
        expect(s.upstream.rounds).toHaveLength(isEnd ? 1 : 2)
        expect(heardOf(entry, client.text)).toMatchObject({ text: isEnd ? '' : 'Here I am.', end: { reason: 'stop' } })
      }
  })

  it('is returned when the second is empty too', async () => {
    const s = await roundsScene(entry, { tools: [emptyReplyContinue] })
    const { client, over } = await s.ask(request())
    ;(await s.upstream.round(1)).answer({})
    ;(await s.upstream.round(2)).answer({})
    const { error, end } = await over
    expect(error).toBeNull()
    expect(s.upstream.rounds).toHaveLength(2)
    expect(problemsOf(entry, client.text)).toEqual([])
    expect(heardOf(entry, client.text)).toMatchObject({ text: '', calls: [], end: { reason: 'stop' } })
    expect(end.summary.finish).toBe('stop')
  })

  it('ends as it was when the second fails', async () => {
    const s = await roundsScene(entry, { tools: [emptyReplyContinue] })
    const { client, over } = await s.ask(request())
    ;(await s.upstream.round(1)).answer({})
    ;(await s.upstream.round(2)).refuse(500)
    const { error, end } = await over
    expect(error).toBeNull()
    expect(problemsOf(entry, client.text)).toEqual([])
    expect(heardOf(entry, client.text).end).toMatchObject({ reason: 'stop' })
    expect(end.summary).toMatchObject({ finish: 'stop', error: null })
    expect(await s.hiddenOf()).toEqual([])
  })

  it('behind a tool is asked for too', async () => {
    const s = await roundsScene(entry, { tools: [lookTool(), emptyReplyContinue] })
    const { client, over } = await s.ask(request())
    ;(await s.upstream.round(1)).answer(look('call_a'))
    ;(await s.upstream.round(2)).answer({})
    const third = await s.upstream.round(3)
    expect(itemsOf(entry, third.json).join()).toContain('seen call_a')
    expect(refusedOf[entry](third.json)).toEqual([])
    third.answer({ text: 'Here I am.' })
    await over
    expect(problemsOf(entry, client.text)).toEqual([])
    expect(heardOf(entry, client.text).text.trim()).toBe('Here I am.')
  })
})
