import { describe, expect, it } from 'vitest'
import { entryProtocols } from '../../../shared/words.ts'
import type { ResponseSummary } from '../protocol/types.ts'
import { heardOf, historyOf, itemsOf, problemsOf, refusedOf, requestOf, userItem } from './testing/client-view.ts'
import { roundsScene } from './testing/rounds-scene.ts'
import { lookTool } from './testing/slow-tool.ts'

const calls = { text: 'One.', toolCalls: [{ name: 'look', id: 'call_a', input: {} }] }

describe.each(entryProtocols)('a stopMessage within a %s exchange', (entry) => {
  const request = () => requestOf(entry, [userItem(entry, 'Hi')])
  async function scene(texts: readonly string[]) {
    const asked: ResponseSummary[] = []
    const left = [...texts]
    const s = await roundsScene(entry, {
      tools: [lookTool()],
      next: async (summary) => {
        asked.push(summary)
        const text = left.shift()
        return text === undefined ? null : { text }
      },
    })
    return { ...s, asked }
  }

  it('follows behind rounds of tools, and stands in the history ever after', async () => {
    const s = await scene(['Continue.'])
    const { client, over } = await s.ask(request())
    ;(await s.upstream.round(1)).answer(calls)
    ;(await s.upstream.round(2)).answer({ text: 'Two.' })
    const third = await s.upstream.round(3)
    expect(itemsOf(entry, third.json).at(-1)).toContain('Continue.')
    expect(refusedOf[entry](third.json)).toEqual([])
    third.answer({ text: 'Three.' })
    const { end } = await over
    expect(s.asked.map(({ text, finish }) => [text, finish])).toEqual([
      ['Two.', 'stop'],
      ['Three.', 'stop'],
    ])
    expect(end.reenter).toEqual({ rounds: 3, failure: null })
    expect(problemsOf(entry, client.text)).toEqual([])
    expect(heardOf(entry, client.text).text.replaceAll(/\s+/g, '')).toBe('One.Two.Three.')

    const next = await s.ask(
      requestOf(entry, [userItem(entry, 'Hi'), ...historyOf(entry, client.text), userItem(entry, 'More.')]),
    )
    const fourth = await s.upstream.round(4)
    expect(itemsOf(entry, fourth.json).slice(0, itemsOf(entry, third.json).length)).toEqual(itemsOf(entry, third.json))
    fourth.answer({ text: 'Four.' })
    await next.over
  })

  it.each(['refused', 'broken off'])('whose round is %s lets the answer end as the round before did', async (how) => {
    const s = await scene(['Continue.'])
    const { client, over } = await s.ask(request())
    ;(await s.upstream.round(1)).answer(calls)
    ;(await s.upstream.round(2)).answer({ text: 'Two.' })
    const third = await s.upstream.round(3)
    if (how === 'refused') third.refuse(500)
    else {
      third.head()
      for (const event of third
        .events({
          text: 'A longer text that comes in pieces.',
          toolCalls: [{ name: 'Read', id: 'call_z', input: { path: 'x' } }],
        })
        .slice(0, -2))
        third.data(event)
      third.fail()
    }
    const { end, error } = await over
    expect(error).toBeNull()
    expect(end.reenter).toMatchObject({ rounds: 2, failure: { round: 3 } })
    expect(problemsOf(entry, client.text)).toEqual([])
    expect(heardOf(entry, client.text)).toMatchObject({ calls: [], end: { reason: 'stop' } })
    expect(heardOf(entry, client.text).text).toMatch(
      how === 'refused' ? /^One\.\s*Two\.$/ : /^One\.\s*Two\.\s*A longer/,
    )
    expect(end.summary).toMatchObject({ finish: 'stop', error: null })
    // The earlier round stays known: its call and result belong to the answer.
    expect(JSON.stringify((await s.hiddenOf()).map(({ hidden }) => hidden.before))).toContain('seen call_a')
    expect(JSON.stringify((await s.hiddenOf()).map(({ hidden }) => hidden.before))).not.toContain('Continue.')
  })

  it('waits while calls are the client’s to run', async () => {
    const s = await scene(['Continue.'])
    const { over } = await s.ask(request())
    ;(await s.upstream.round(1)).answer({
      toolCalls: [
        { name: 'look', id: 'call_a', input: {} },
        { name: 'Read', id: 'call_b', input: { path: 'x' } },
      ],
    })
    await over
    expect(s.upstream.rounds).toHaveLength(1)
    expect(s.asked.map(({ finish, toolNames }) => [finish, toolNames])).toEqual([['tool-calls', ['Read']]])
  })
})
