import { describe, expect, it } from 'vitest'
import { entryProtocols } from '../../../shared/words.ts'
import { requestOf, userItem } from './testing/client-view.ts'
import { roundsScene } from './testing/rounds-scene.ts'
import { slowTool } from './testing/slow-tool.ts'

describe.each(entryProtocols)('a %s client that leaves', (entry) => {
  async function begun(stream = true) {
    const slow = slowTool()
    const scene = await roundsScene(entry, { tools: [slow.tool] })
    const asked = await scene.ask(requestOf(entry, [userItem(entry, 'Hi')]), { stream })
    return { slow, scene, ...asked, first: await scene.upstream.round(1) }
  }
  const calls = {
    text: 'Wait, I will look at it at once, and then tell you what is there.',
    toolCalls: [{ name: 'look', id: 'call_a', input: {} }],
  }

  it.each([true, false])('while a tool runs stops the tool, and nothing else goes up (stream: %s)', async (stream) => {
    const w = await begun(stream)
    w.first.answer(calls)
    await w.scene.clock.advance(5_000)
    w.client.leave()
    const { end, error } = await w.over
    expect(w.slow.stopped).toBe(true)
    expect(error).toBeNull()
    expect(end.clientLeft).toBe(true)
    expect(w.scene.upstream.rounds).toHaveLength(1)
    expect(await w.scene.hiddenOf()).toEqual([])
    expect(w.scene.clock.pending()).toBe(0)
  })

  it.each(['before', 'after'] as const)('%s the first byte of a further round ends that call', async (when) => {
    const w = await begun()
    w.first.answer(calls)
    await w.scene.clock.advance(0)
    w.slow.answer()
    const second = await w.scene.upstream.round(2)
    if (when === 'after') {
      second.head()
      for (const event of second
        .events({ text: 'A longer text that comes in pieces, more of them than are sent here.' })
        .slice(0, 3))
        second.data(event)
    }
    w.client.leave()
    const { end } = await w.over
    expect(second.aborted).toBe(true)
    expect(end.clientLeft).toBe(true)
    expect(await w.scene.hiddenOf()).toEqual([])
    expect(w.scene.clock.pending()).toBe(0)
  })

  it('in the middle of the first round gets no tool run for it', async () => {
    const w = await begun()
    w.first.head()
    for (const event of w.first.events(calls).slice(0, 2)) w.first.data(event)
    w.client.leave()
    await w.over
    expect(w.first.aborted).toBe(true)
    expect(w.scene.events).toEqual([])
    expect(await w.scene.hiddenOf()).toEqual([])
  })
})
