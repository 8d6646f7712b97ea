import { describe, expect, it } from 'vitest'
import { entryProtocols } from '../../../shared/words.ts'
import { heardOf, itemsOf, problemsOf, refusedOf, requestOf, userItem } from './testing/client-view.ts'
import { roundsScene } from './testing/rounds-scene.ts'
import { slowTool } from './testing/slow-tool.ts'

describe.each(entryProtocols)('an answer of several rounds for a %s client', (entry) => {
  const request = () => requestOf(entry, [userItem(entry, 'Hi')])

  it('shows text and thinking before the tool has finished', async () => {
    const { tool, answer } = slowTool()
    const scene = await roundsScene(entry, { tools: [tool] })
    const { client, over } = await scene.ask(request())
    const first = await scene.upstream.round(1)
    first.answer({
      thinking: 'Let me see.',
      text: 'I will look.',
      toolCalls: [{ name: 'look', id: 'call_a', input: { at: 1 } }],
    })
    await scene.clock.advance(0)
    expect(heardOf(entry, client.text)).toMatchObject({ text: 'I will look.', thinking: 'Let me see.', calls: [] })
    expect(client.ended).toBeNull()
    expect(scene.upstream.rounds).toHaveLength(1)

    answer('seen')
    const second = await scene.upstream.round(2)
    expect(refusedOf[entry](second.json)).toEqual([])
    expect(itemsOf(entry, second.json).join()).toContain('seen')
    second.answer({ text: 'It is there.' })
    const { end, error } = await over
    expect(error).toBeNull()
    expect(problemsOf(entry, client.text)).toEqual([])
    expect(heardOf(entry, client.text)).toMatchObject({ calls: [], end: { reason: 'stop' } })
    expect(heardOf(entry, client.text).text.replaceAll(/\s+/g, ' ')).toMatch(/^I will look\. ?It is there\.$/)
    expect(client.ended).toBe('whole')
    expect(end.servertools).toMatchObject([{ tool: 'look', round: 1, failure: null }])
  })
})
