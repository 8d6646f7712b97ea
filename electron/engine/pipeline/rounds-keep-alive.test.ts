import { describe, expect, it } from 'vitest'
import { entryProtocols } from '../../../shared/words.ts'
import { emptyReplyContinue } from '../servertools/empty-reply.ts'
import { beats, problemsOf, requestOf, userItem } from './testing/client-view.ts'
import { roundsScene } from './testing/rounds-scene.ts'
import { atFirstWord } from './testing/scripted-upstream.ts'
import { slowTool } from './testing/slow-tool.ts'

const seconds = 1_000

describe.each(entryProtocols)('a %s client that waits', (entry) => {
  const shape = beats[entry]
  const each = shape === null ? 0 : 1
  async function waiting(stream = true) {
    const slow = slowTool()
    const scene = await roundsScene(entry, { tools: [slow.tool] })
    const asked = await scene.ask(requestOf(entry, [userItem(entry, 'Hi')]), { stream })
    const first = await scene.upstream.round(1)
    first.answer({ text: 'Wait.', toolCalls: [{ name: 'look', id: 'call_a', input: {} }] })
    await scene.clock.advance(0)
    const shown = asked.client.text
    /** how often the client got a sign since, and nothing else */
    const told = () => {
      const since = asked.client.text.slice(shown.length)
      const parts = shape === null ? [] : (since.match(new RegExp(shape, 'g')) ?? [])
      expect(parts.join('')).toBe(since)
      return parts.length
    }
    return { slow, scene, ...asked, told, rest: () => asked.client.text.slice(shown.length) }
  }

  it('is told every 10 s that something is coming, while a tool runs and until the next round begins', async () => {
    const w = await waiting()
    await w.scene.clock.advance(9.9 * seconds)
    expect(w.told()).toBe(0)
    await w.scene.clock.advance(0.1 * seconds)
    expect(w.told()).toBe(each)
    await w.scene.clock.advance(15 * seconds)
    expect(w.told()).toBe(2 * each)
    w.slow.answer()
    const second = await w.scene.upstream.round(2)
    await w.scene.clock.advance(30 * seconds)
    expect(w.told()).toBe(5 * each)
    second.head()
    await w.scene.clock.advance(10 * seconds)
    expect(w.told()).toBe(6 * each)

    const [begun, more] = atFirstWord(second.events({ text: 'Here is a text that comes in more than one piece.' }))
    for (const event of begun) second.data(event)
    const quiet = w.client.text
    await w.scene.clock.advance(60 * seconds)
    expect(w.client.text).toBe(quiet)
    for (const event of more) second.data(event)
    second.end()
    await w.over
    expect(problemsOf(entry, w.client.text)).toEqual([])
    expect(w.scene.clock.pending()).toBe(0)
  })

  it('hears no more of it when the next round fails before it begins', async () => {
    const w = await waiting()
    w.slow.answer()
    const second = await w.scene.upstream.round(2)
    await w.scene.clock.advance(10 * seconds)
    expect(w.told()).toBe(each)
    second.fail('upstream-unreachable')
    await w.over
    const all = w.client.text
    await w.scene.clock.advance(60 * seconds)
    expect(w.client.text).toBe(all)
    expect(w.scene.clock.pending()).toBe(0)
  })

  it('gets what a round has left to show first, and then what keeps it waiting', async () => {
    const slow = slowTool()
    const scene = await roundsScene(entry, { tools: [slow.tool, emptyReplyContinue] })
    const { client, over } = await scene.ask(requestOf(entry, [userItem(entry, 'Hi')]))
    ;(await scene.upstream.round(1)).answer({})
    ;(await scene.upstream.round(2)).answer({ thinking: 'Hm.', toolCalls: [{ name: 'look', id: 'call_a', input: {} }] })
    await scene.clock.advance(0)
    slow.answer()
    const third = await scene.upstream.round(3)
    await scene.clock.advance(20 * seconds)
    third.answer({ text: 'Here.' })
    await over
    // A client of Responses gets its output so far.
    expect(
      problemsOf(entry, client.text).filter(
        (problem) => !/response\.in_progress has an output of \d+ items$/.test(problem),
      ),
    ).toEqual([])
  })

  it('for JSON gets nothing before the whole answer', async () => {
    const w = await waiting(false)
    await w.scene.clock.advance(60 * seconds)
    expect([w.client.heads, w.client.text]).toEqual([[], ''])
    w.slow.answer()
    ;(await w.scene.upstream.round(2)).answer({ text: 'Here.' })
    await w.over
    expect(problemsOf(entry, w.client.text, false)).toEqual([])
    expect(w.scene.clock.pending()).toBe(0)
  })
})
