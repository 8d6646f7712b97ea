/**
 * A round that has to come and does not: the client gets an error of its protocol, asks again as clients do, and it
 * works.
 */
import { describe, expect, it } from 'vitest'
import { allEntries } from './support/entries.ts'
import { heard } from './support/heard.ts'
import { fail, garbage, raw, say, type MockReply } from './support/mock-upstream/index.ts'
import { conversationOf, expectOneHistory } from './support/provider-history.ts'
import { callClock, look, servertoolWorld } from './support/servertool-world.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

const w = servertoolWorld()
const tools = [look]
const failures: readonly (readonly [string, MockReply, RegExp])[] = [
  ['a refusal', fail(500, { message: 'out of order' }), /out of order/],
  ['a refusal of the request', fail(400, { message: 'too much history' }), /too much history/],
  [
    'an answer that is cut off',
    say('It is a late hour, and so on.', { piece: 4, breakOff: { after: 5, how: 'cut' } }),
    /broke off in the middle/,
  ],
  [
    'an answer that ends too early',
    say('It is a late hour, and so on.', { piece: 4, breakOff: { after: 5, how: 'end' } }),
    /(broke off|ended its answer) in the middle/,
  ],
  ['no HTTP at all', garbage('\x16\x03\x01 not http\r\n\r\n'), /not HTTP/],
  ['no JSON', raw('<html>', { headers: { 'content-type': 'text/html' } }), /neither whole JSON nor a stream of events/],
]
/** Events of Responses are numbered without a gap, the error's too. */
const numbersIn = async (got: Promise<string> | undefined): Promise<number[]> =>
  Array.from(((await got) ?? '').matchAll(/"sequence_number":(\d+)/g), ([, number]) => Number(number))

describe.each(allEntries)('in $entry', (door) => {
  describe.each([
    ['streaming', true],
    ['whole', false],
  ] as const)('%s', (_how, stream) => {
    it.each(failures)('the second round fails by %s', async (_what, failure, words) => {
      w.answers(
        callClock({ text: 'Let me see.' }),
        failure,
        callClock({ text: 'Let me see again.' }),
        say('It is late.'),
        say('Later.'),
      )
      const talk = w.talk(door)
      talk.user('How late is it?')
      const error: unknown = await talk.ask({ stream, tools }).catch((thrown: unknown) => thrown)
      const known = talk.client.failure(error)
      expect(known?.message, (await Promise.all(talk.got)).join()).toMatch(words)
      if (!stream) expect(known?.status).toBe(failure.kind === 'error' ? failure.status : 502)
      if (stream && door.entry === 'responses')
        expect(await numbersIn(talk.got[0])).toEqual(
          Array.from({ length: (await numbersIn(talk.got[0])).length }, (_, i) => i),
        )
      expect(w.requests()).toHaveLength(2)
      expect(w.kept()).not.toContain(talk.session)
      await waitFor('the end of the turn', () =>
        w.engine.control.events.some(
          ({ sessionId, body }) => sessionId === talk.session && body.type === 'turn-ended' && body.error !== undefined,
        ),
      )

      const again = await talk.ask({ stream, tools })
      expect(again.text.replaceAll(/\s+/g, ' ')).toMatch(/^Let me see again\. ?It is late\.$/)
      talk.user('And now?')
      await talk.ask({ stream, tools })
      expectOneHistory(w.requests().slice(2))
      expect(heard(w.request(5)).results).toHaveLength(1)
      expect(conversationOf(w.request(3))).toEqual(conversationOf(w.request(1)))
    })
  })
})
