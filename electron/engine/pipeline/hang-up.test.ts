import { describe, expect, it } from 'vitest'
import { entryProtocols, type EntryProtocol } from '../../../shared/words.ts'
import { heardOf, itemsOf, problemsOf, requestOf, userItem } from './testing/client-view.ts'
import { clockScene, mark, seconds } from './testing/clock-scene.ts'
import { heldScene, wait } from './testing/held-scene.ts'
import { roundsScene, type RoundsScene } from './testing/rounds-scene.ts'
import { jsonType, type UpstreamRound } from './testing/scripted-upstream.ts'
import { lookTool } from './testing/slow-tool.ts'

/** The end of a stream in each protocol, as its clients read it. */
const lastWord: Readonly<Record<EntryProtocol, RegExp>> = {
  chat: /\[DONE\]/,
  gemini: /"finishReason"/,
  messages: /message_stop/,
  responses: /"type":"response\.completed"/,
}
/** An answer whose body never ends. */
function endless(round: UpstreamRound, text = 'Done.', without = 0): void {
  round.head()
  const events = round.events({ text })
  for (const event of events.slice(0, events.length - without)) round.data(event)
}
const report = (s: RoundsScene) => s.reports.at(-1)?.outcome

const pairs = entryProtocols.flatMap((entry) => entryProtocols.map((provider) => ({ entry, provider })))

describe.each(pairs)('a whole answer of $provider for a client of $entry, whose body never ends', (pair) => {
  const { entry, provider } = pair
  const hi = requestOf(entry, [userItem(entry, 'Hi')])
  const scene = (tools: boolean) => roundsScene(entry, { provider, tools: tools ? [lookTool()] : [] })

  it.each([true, false])('reached a client that hangs up at its last word (tools: %s)', async (tools) => {
    const s = await scene(tools)
    const { client, over } = await s.ask(hi)
    client.leaveAt(lastWord[entry])
    const round = await s.upstream.round(1)
    endless(round)
    // Google's stream has no last word of its own, and other clients wait for theirs.
    if (provider === 'gemini') await s.clock.advance(2 * seconds)
    const { end, error } = await over
    expect(error).toBeNull()
    expect([end.clientLeft, end.summary.finish, end.summary.complete]).toEqual([false, 'stop', true])
    expect(round.dumped || round.aborted).toBe(true)
    expect(report(s)).toMatchObject({ kind: 'answered', brokenOff: false })
    expect(problemsOf(entry, client.text)).toEqual([])
    expect(s.clock.pending()).toBe(0)
  })

  it.each([true, false])('is over for a client that waits for its end (stream: %s)', async (stream) => {
    const s = await scene(true)
    const { client, over } = await s.ask(hi, { stream })
    const round = await s.upstream.round(1)
    if (stream) endless(round)
    else {
      round.head(200, jsonType)
      round.data(round.whole({ text: 'Done.' }))
    }
    if (!stream || provider === 'gemini') {
      await s.clock.advance(1.9 * seconds)
      expect(client.ended).toBeNull()
      await s.clock.advance(0.1 * seconds)
    }
    const { end } = await over
    expect(client.ended).toBe('whole')
    expect([end.clientLeft, end.summary.finish]).toEqual([false, 'stop'])
    expect(heardOf(entry, client.text, stream).text).toBe('Done.')
    expect(round.dumped).toBe(true)
    expect(s.clock.pending()).toBe(0)
  })

  it('did not reach a client that hangs up before', async () => {
    const s = await scene(true)
    const { client, over } = await s.ask(hi)
    const round = await s.upstream.round(1)
    endless(round, 'A text that comes in several pieces, so that some of it is there.', 3)
    client.leave()
    const { end } = await over
    expect(end.clientLeft).toBe(true)
    expect(round.aborted).toBe(true)
    expect(report(s)).toMatchObject({ kind: 'answered', brokenOff: false })
    expect(s.clock.pending()).toBe(0)
  })
})

describe.each(entryProtocols)('a %s client that hangs up at the last word', (entry) => {
  const hi = requestOf(entry, [userItem(entry, 'Hi')])

  it('keeps the rounds that it did not see', async () => {
    const s = await roundsScene(entry, { tools: [lookTool()] })
    const { client, over } = await s.ask(hi)
    client.leaveAt(lastWord[entry])
    const first = await s.upstream.round(1)
    first.head()
    for (const event of first.events({ text: 'Wait.', toolCalls: [{ name: 'look', id: 'call_a', input: {} }] }))
      first.data(event)
    if (entry === 'gemini') await s.clock.advance(2 * seconds)
    endless(await s.upstream.round(2))
    if (entry === 'gemini') await s.clock.advance(2 * seconds)
    const { end } = await over
    expect([end.clientLeft, end.summary.finish]).toEqual([false, 'stop'])
    expect(await s.hiddenOf()).toHaveLength(1)
    expect(s.clock.pending()).toBe(0)
  })

  it('has the reminder that went with its request in its history', async () => {
    const s = await clockScene(entry)
    await s.world.set('s1', 30 * seconds, 'look')
    const { client, over } = await s.ask(hi)
    client.leaveAt(lastWord[entry])
    const round = await s.upstream.round(1)
    expect(itemsOf(entry, round.json).at(-1)).toContain(mark('look'))
    endless(round)
    if (entry === 'gemini') await s.world.clock.advance(2 * seconds)
    const { end } = await over
    await s.rest()
    expect([end.clientLeft, end.summary.finish]).toEqual([false, 'stop'])
    expect(await s.hiddenOf()).toHaveLength(1)
  })

  it('stays for an answer that is held for its alarm', async () => {
    const { s, client, over } = await heldScene(entry)
    client.leaveAt(lastWord[entry])
    await s.world.clock.advance(wait)
    endless(await s.upstream.round(2), 'Two.')
    if (entry === 'gemini') await s.world.clock.advance(2 * seconds)
    const { end } = await over
    await s.rest()
    expect([end.clientLeft, end.summary.finish]).toEqual([false, 'stop'])
    expect(s.states()).toMatchObject([{ state: 'delivered', deliveryCount: 1 }])
  })
})

describe('what may come behind a whole answer', () => {
  const hi = requestOf('gemini', [userItem('gemini', 'Hi')])
  const chunk = (text: string) =>
    `data: {"candidates":[{"content":{"parts":[{"text":"${text}"}]},"finishReason":"STOP"}]}\n\n`

  it('is waited for as long as something comes: some versions name a finish in every chunk', async () => {
    const s = await roundsScene('gemini')
    const { client, over } = await s.ask(hi)
    const round = await s.upstream.round(1)
    round.head()
    for (const text of ['a', 'b', 'c']) {
      round.data(chunk(text))
      await s.clock.advance(1.5 * seconds)
    }
    expect(client.ended).toBeNull()
    // Comments only keep a connection open.
    round.data(': ping\n\n')
    await s.clock.advance(0.5 * seconds)
    const { end } = await over
    expect(end.summary).toMatchObject({ finish: 'stop', text: 'abc' })
    expect(client.ended).toBe('whole')
  })

  it('ends a list whose bracket never comes', async () => {
    const s = await roundsScene('gemini')
    const { client, over } = await s.ask(hi, { list: true })
    const round = await s.upstream.round(1)
    round.head(200, jsonType)
    round.data(`[${chunk('a').slice(6).trim()}`)
    await s.clock.advance(2 * seconds)
    const { end } = await over
    expect(end.summary).toMatchObject({ finish: 'stop', text: 'a' })
    expect(JSON.parse(client.text)).toHaveLength(1)
  })

  it('is no reason to doubt a whole body that breaks off behind its last bracket', async () => {
    const s = await roundsScene('chat')
    const { client, over } = await s.ask(requestOf('chat', [userItem('chat', 'Hi')]), { stream: false })
    const round = await s.upstream.round(1)
    round.head(200, jsonType)
    round.data(round.whole({ text: 'Done.' }))
    round.fail()
    const { end } = await over
    expect([end.clientLeft, end.summary.finish, client.ended]).toEqual([false, 'stop', 'whole'])
  })
})
