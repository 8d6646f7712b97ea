import { describe, expect, it } from 'vitest'
import { entryProtocols } from '../../../shared/words.ts'
import { heardOf, problemsOf, requestOf, userItem } from './testing/client-view.ts'
import { roundsScene } from './testing/rounds-scene.ts'
import type { UpstreamRound } from './testing/scripted-upstream.ts'
import { lookTool } from './testing/slow-tool.ts'

const calls = { text: 'Wait.', toolCalls: [{ name: 'look', id: 'call_a', input: {} }] }
const long = { thinking: 'Hm, well, let me see.', text: 'A longer text that comes in pieces.' }

/** Failures of a round before anything of it came, and the status a JSON client gets. */
const early: readonly [string, (round: UpstreamRound) => void, number][] = [
  ['cannot be reached', (round) => round.fail('upstream-unreachable'), 502],
  ['is refused for a limit', (round) => round.refuse(429), 429],
  ['is refused as broken', (round) => round.refuse(400), 400],
  ['fails at the provider', (round) => round.refuse(500), 500],
  [
    'ends without a byte',
    (round) => {
      round.head()
      round.end()
    },
    502,
  ],
]

describe.each(entryProtocols)('a round that has to come for a %s client', (entry) => {
  async function second(stream: boolean) {
    const scene = await roundsScene(entry, { tools: [lookTool()] })
    const asked = await scene.ask(requestOf(entry, [userItem(entry, 'Hi')]), { stream })
    ;(await scene.upstream.round(1)).answer(calls)
    return { scene, ...asked, round: await scene.upstream.round(2) }
  }

  it.each(early)('and %s ends the stream with one error', async (_what, fails) => {
    const w = await second(true)
    fails(w.round)
    const { end, error } = await w.over
    expect(error).toBeNull()
    expect(problemsOf(entry, w.client.text)).toEqual([])
    expect(heardOf(entry, w.client.text)).toMatchObject({ text: 'Wait.', end: { code: expect.any(String) as string } })
    expect(end.summary).toMatchObject({
      finish: 'error',
      complete: false,
      error: { code: expect.any(String) as string },
    })
    expect(w.client.ended).toBe('whole')
    expect(await w.scene.hiddenOf()).toEqual([])
    expect(w.scene.clock.pending()).toBe(0)
  })

  it.each(early)('and %s is an error of its own in JSON', async (_what, fails, status) => {
    const w = await second(false)
    fails(w.round)
    const { error, end } = await w.over
    expect(w.client.heads).toEqual([])
    expect(error).toMatchObject({ status })
    expect(end.status).toBe(status)
    expect(w.scene.clock.pending()).toBe(0)
  })

  it.each(['fail', 'end'] as const)(
    'and breaks off in the middle (%s) ends the stream with one error behind what was said',
    async (how) => {
      const w = await second(true)
      w.round.head()
      const events = w.round.events(long)
      for (const event of events.slice(0, -2)) w.round.data(event)
      w.round[how]()
      const { end } = await w.over
      expect(problemsOf(entry, w.client.text)).toEqual([])
      const heard = heardOf(entry, w.client.text)
      expect(heard.end).toMatchObject({ code: expect.any(String) as string })
      expect(heard.text).toMatch(/^Wait\.\s*A longer text/)
      expect(end.summary).toMatchObject({ finish: 'error', complete: false })
      expect(await w.scene.hiddenOf()).toEqual([])
    },
  )

  it('and breaks off in the middle is an error in JSON', async () => {
    const w = await second(false)
    w.round.head()
    w.round.data('{"half')
    w.round.fail()
    const { error } = await w.over
    expect(w.client.heads).toEqual([])
    expect(error).toMatchObject({ code: 'upstream-broke-off', status: 502 })
  })

  it('and comes in the other form is an error too', async () => {
    const streamed = await second(true)
    streamed.round.answer({ text: 'Here.' }, 'json')
    await streamed.over
    expect(problemsOf(entry, streamed.client.text)).toEqual([])
    expect(heardOf(entry, streamed.client.text).end).toMatchObject({ code: expect.any(String) as string })
    const whole = await second(false)
    whole.round.answer({ text: 'Here.' }, 'stream')
    const { error } = await whole.over
    expect(error).toMatchObject({ status: 502 })
    expect(whole.client.heads).toEqual([])
  })
})
