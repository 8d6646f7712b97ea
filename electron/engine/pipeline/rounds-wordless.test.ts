import { describe, expect, it } from 'vitest'
import { wireProtocols } from '../protocol/canonical/request.ts'
import { blankAnswers, wordlessAnswers } from '../protocol/canonical/testing/wordless-answers.ts'
import { emptyReplyContinue } from '../servertools/empty-reply.ts'
import { heardOf, problemsOf, requestOf, userItem } from './testing/client-view.ts'
import { roundsScene } from './testing/rounds-scene.ts'
import { jsonType, streamType } from './testing/scripted-upstream.ts'

const said = wordlessAnswers.filter(({ note }) => note !== null)
const silent = wordlessAnswers.filter(({ note }) => note === null)

/** One turn of a client whose provider gives this answer; `text` is what the client gets in the end. */
async function turn(client: (typeof wireProtocols)[number], { from, body, stream }: (typeof said)[number], as: string) {
  const s = await roundsScene(client, { provider: from, tools: [emptyReplyContinue] })
  const asked = await s.ask(requestOf(client, [userItem(client, 'Hi')]), { stream: as === 'stream' })
  const first = await s.upstream.round(1)
  first.head(200, as === 'stream' ? streamType : jsonType)
  first.data(as === 'stream' ? stream : body)
  first.end()
  return { ...s, ...asked }
}

describe.each(wireProtocols)('a %s client', (client) => {
  it.each(said.flatMap((answer) => ['stream', 'body'].map((as) => ({ ...answer, as }))))(
    'is told of $holds from $from once, and nothing is asked a second time ($as)',
    async ({ as, ...answer }) => {
      const s = await turn(client, answer, as)
      const { end, error } = await s.over
      expect(error).toBeNull()
      expect(s.upstream.rounds).toHaveLength(1)
      expect(s.events).toEqual([])
      expect(end.summary.complete).toBe(true)
      if (client === answer.from) return expect(s.client.text).toBe(as === 'stream' ? answer.stream : answer.body)
      expect(problemsOf(client, s.client.text, as === 'stream')).toEqual([])
      expect(heardOf(client, s.client.text, as === 'stream').text).toBe(`[${answer.note}, not shown by this client]`)
    },
  )

  it.each(silent)('is asked for again where $from said $holds', async (answer) => {
    const s = await turn(client, answer, 'stream')
    ;(await s.upstream.round(2)).answer({ text: 'Here I am.' })
    await s.over
    expect(heardOf(client, s.client.text).text).toBe('Here I am.')
    expect(s.events).toMatchObject([{ type: 'servertool-reacted', tool: 'empty_reply_continue' }])
  })

  it.each(blankAnswers.flatMap((answer) => ['stream', 'body'].map((as) => ({ ...answer, as }))))(
    'is asked for again where $from said $holds, and gets one answer ($as)',
    async ({ as, ...answer }) => {
      const s = await turn(client, answer, as)
      ;(await s.upstream.round(2)).answer({ text: 'Here I am.' }, as === 'stream' ? 'stream' : 'json')
      const { error } = await s.over
      expect(error).toBeNull()
      const heard = heardOf(client, s.client.text, as === 'stream')
      expect([heard.text.trim(), heard.end]).toMatchObject(['Here I am.', { reason: 'stop' }])
    },
  )
})
