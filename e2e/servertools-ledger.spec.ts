/**
 * What a client never saw goes up again with its history, whatever becomes of the engine and of the conversation (spec
 * 05, The ledger).
 */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { allEntries, bodyOf, type TestEntry } from './support/entries.ts'
import { heard } from './support/heard.ts'
import { say } from './support/mock-upstream/index.ts'
import { post } from './support/post.ts'
import { conversationIn, conversationOf, expectOneHistory } from './support/provider-history.ts'
import { callClock, look, servertoolWorld } from './support/servertool-world.ts'

const w = servertoolWorld()
const tools = [look]

/** A session that looked at the clock in its first answer. */
async function begun(door: TestEntry, stream = true) {
  w.answers(callClock({ text: 'Let me see.', thinking: 'Late?' }), say('It is late.'))
  const talk = w.talk(door)
  talk.user('How late is it?')
  expect((await talk.ask({ stream, tools })).calls).toEqual([])
  await w.keeps(talk.session)
  return talk
}
const plain = (door: TestEntry, texts: readonly string[], session: string) =>
  post(w.engine, door.path, bodyOf(door, texts), { headers: { ...door.headers, 'x-session-id': session } })

describe.each(allEntries)('in $entry', (door) => {
  it('survives the end of the engine, a proper one and a sudden one', async () => {
    const talk = await begun(door)
    await w.engine.kill()
    w.engine = await w.engine.restart()
    w.answers(say('Still late.'), say('Later still.'))
    talk.user('And now?')
    expect((await talk.ask({ stream: true, tools })).text).toBe('Still late.')
    await w.engine.stop()
    w.engine = await w.engine.restart()
    talk.user('And now again?')
    expect((await talk.ask({ stream: false, tools })).text).toBe('Later still.')
    expectOneHistory(w.requests())
    expect(heard(w.request(4)).results).toHaveLength(1)
  })

  it('is forgotten when the client sums its conversation up', async () => {
    const { session } = await begun(door)
    w.answers(say('Fine.'), say('Going on.'))
    const talk = w.talk(door, session)
    talk.user('So far: it was late.')
    await talk.ask({ stream: true, tools })
    expect(w.kept()).toContain(session)
    talk.user('Go on.')
    await talk.ask({ stream: true, tools })
    expect(conversationOf(w.request(4))).toEqual(conversationIn(door.list, talk.sent[1] ?? ''))
    expect(w.kept()).not.toContain(session)
  })

  it('leaves an answer alone that the client has changed, and puts back what belongs to the others', async () => {
    const talk = await begun(door)
    w.answers(callClock(), say('Later.'))
    talk.user('And now?')
    await talk.ask({ stream: true, tools })
    const texts = ['How late is it?', 'Let me see.\n\nIt is early.', 'And now?', 'Later.', 'Thanks.']
    w.answers(say('Never mind.'))
    expect((await plain(door, texts, talk.session)).status).toBe(200)
    const { calls, results } = heard(w.request(5))
    expect([calls.length, results.length]).toEqual([1, 1])
    const up = conversationOf(w.request(5))
    const sent = conversationIn(door.list, bodyOf(door, texts))
    // around the changed answer nothing has changed
    expect(up.slice(0, 3)).toEqual(sent.slice(0, 3))
    expect(up.length).toBeGreaterThan(sent.length)
    expect(w.kept()).toContain(talk.session)

    w.answers(say('Never mind.'), say('Never mind.'))
    await plain(door, ['How late is it?', 'No idea.', 'Thanks.'], talk.session)
    expect(conversationOf(w.request(6))).toEqual(
      conversationIn(door.list, bodyOf(door, ['How late is it?', 'No idea.', 'Thanks.'])),
    )
    expect(w.kept()).not.toContain(talk.session)
  })

  it('is that of the answer the client has, when it asked twice for the same', async () => {
    const first = await begun(door)
    // it never came to know that answer, and asks again; the model says the same, but the call is another one
    w.answers(
      callClock({ text: 'Let me see.', thinking: 'Late?', call: { id: 'call_again' } }),
      say('It is late.'),
      say('You are welcome.'),
    )
    const again = w.talk(door, first.session)
    again.user('How late is it?')
    await again.ask({ stream: true, tools })
    again.user('Thanks.')
    await again.ask({ stream: true, tools })
    expectOneHistory(w.requests().slice(2))
    expect(heard(w.request(5)).calls).toHaveLength(1)
  })

  it('goes up behind texts that a marker was taken out of', async () => {
    const talk = w.talk(door)
    const marker = '<**stopMessage:"go on",2**>'
    w.answers(callClock({ text: 'Let me see.' }), say('It is late.'), callClock(), say('Later.'), say('Bye.'))
    talk.user(`How late is it? ${marker}`)
    await talk.ask({ stream: true, tools })
    talk.user(`${marker} And now?`)
    await talk.ask({ stream: true, tools })
    talk.user('Bye.')
    await talk.ask({ stream: true, tools })
    expectOneHistory(w.requests())
    expect(
      w
        .requests()
        .map(({ body }) => body.toString())
        .join(),
    ).not.toContain('<**')
    expect(heard(w.request(5)).results).toHaveLength(2)
  })

  it('is one session’s own', async () => {
    await begun(door)
    const other = randomUUID()
    const texts = ['How late is it?', 'Let me see.\n\nIt is late.', 'And now?']
    w.answers(say('No idea.'))
    await plain(door, texts, other)
    expect(conversationOf(w.request(3))).toEqual(conversationIn(door.list, bodyOf(door, texts)))
    expect(w.kept()).not.toContain(other)
  })
})
