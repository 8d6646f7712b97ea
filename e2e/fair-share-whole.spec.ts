/** However long a request or an answer is, and whatever stands in it, nobody else waits for Onward to be done. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { notOnLinux, unless } from '../shared/testing/unless.ts'
import { calls, tokens, whole } from './support/long-answers.ts'
import { conversation, saying } from './support/long-requests.ts'
import {
  begin,
  candidate,
  chunk,
  many,
  over,
  pairs,
  protocols,
  watchedEngine,
  type Protocol,
} from './support/watched-engine.ts'

const engine = watchedEngine()
const { ask, staysFree } = engine
// What a request runs is compiled by then, and the thread has started.
beforeAll(async () => {
  for (const pair of pairs) {
    for (const messages of [40, 400])
      await ask({
        ...pair,
        request: conversation[pair.client]({ messages, images: 1, tools: 20 }),
        says: [hello(pair)],
      })
    for (const streams of [false, true]) await ask({ ...pair, streams, says: [tokens[pair.provider](200)] })
  }
})
const hello = ({ provider }: { provider: Protocol }) => whole[provider]('Hello.')

const clients = protocols.map((client) => ({ client, provider: client }))
/** each protocol as it is, and converted to the next one: conversions run in a thread, whichever it is */
const oneOther = pairs.filter(
  ({ client, provider }) => (4 + protocols.indexOf(provider) - protocols.indexOf(client)) % 4 < 2,
)

describe('the event loop is kept by no', () => {
  it.each(oneOther)('conversation of forty megabytes from $client to $provider', unless(notOnLinux), async (pair) => {
    const request = conversation[pair.client]({ messages: 8_000, images: 20, tools: 200 })
    await staysFree(async () => {
      const answer = await ask({ ...pair, request, says: [hello(pair)] })
      expect([answer.status, engine.sent() > 38_000_000]).toEqual([200, true])
    })
  })

  it.each(pairs)('answer of nine megabytes at once from $provider to $client', unless(notOnLinux), async (pair) => {
    const says = [whole[pair.provider]('The quick brown fox "jumps" over it.\n'.repeat(220_000))]
    for (const streams of [false, true]) {
      await staysFree(async () => {
        const answer = await ask({ ...pair, streams, says })
        expect([answer.status, answer.whole, answer.body.length > 8_500_000]).toEqual([200, true, true])
      })
    }
  })

  it.each(pairs)(
    'event of eight megabytes with many parts from $provider to $client',
    unless(notOnLinux),
    async (pair) => {
      const says = [crowded[pair.provider]()]
      await staysFree(() => ask({ ...pair, streams: true, says }))
    },
  )

  it.each(pairs)('answer of many parts in one piece from $provider to $client', unless(notOnLinux), async (pair) => {
    const says = [crowdedBody[pair.provider]()]
    await staysFree(() => ask({ ...pair, says }))
  })

  it.each(pairs)(
    'twenty thousand calls of Onward’s own from $provider to $client',
    unless(notOnLinux),
    async (pair) => {
      const { client, provider } = pair
      const request = conversation[client]({ messages: 0, images: 0, tools: 1 })
      const own = calls[provider](20_000, 'clock', { action: 'get', items: [], taskId: '' })
      const says = [own, tokens[provider](1)]
      await staysFree(async () => {
        const answer = await ask({ ...pair, request, streams: true, says, session: randomUUID() })
        expect([answer.status, answer.whole]).toEqual([200, true])
      })
    },
  )

  it.each(clients)('eight megabytes of markers in a $client message', unless(notOnLinux), async (pair) => {
    for (const marker of ['<**clear**> ', '<**x ']) {
      const request = saying[pair.client]([marker.repeat(8_000_000 / marker.length)])
      await staysFree(async () => {
        const answer = await ask({ ...pair, request, says: [hello(pair)] })
        expect([answer.status, answer.body.toString()]).toEqual([400, expect.stringContaining('50000 markers')])
      })
    }
  })

  it.each(clients)('as many markers as a $client request may have', unless(notOnLinux), async (pair) => {
    const request = saying[pair.client](['<**clear**> '.repeat(50_000)])
    await staysFree(async () => {
      expect((await ask({ ...pair, request, says: [hello(pair)] })).status).toBe(200)
    })
  })

  it.each(clients)('twenty thousand declared tools of $client', unless(notOnLinux), async (pair) => {
    const request = conversation[pair.client]({ messages: 0, images: 0, tools: 20_000 })
    await staysFree(async () => {
      const answer = await ask({ ...pair, request, says: [hello(pair)] })
      expect([answer.status, answer.body.toString()]).toEqual([400, expect.stringContaining('150000 values')])
    })
  })

  it.each(pairs)('twenty thousand short messages from $client to $provider', unless(notOnLinux), async (pair) => {
    const request = saying[pair.client](many(20_000, () => 'a'))
    await staysFree(async () => {
      expect((await ask({ ...pair, request, says: [hello(pair)] })).status).toBe(200)
    })
  })
})

/** Streams of which one event holds more than anybody reads. */
const crowded: Record<Protocol, () => object[]> = {
  chat: () => [chunk({ tool_calls: many(80_000, call) }), chunk({}, 'tool_calls')],
  messages: () => [
    begin,
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'web_search_tool_result', tool_use_id: 'x', content: many(100_000, found) },
    },
    { type: 'content_block_stop', index: 0 },
    ...over('end_turn'),
  ],
  responses: () => [calls.responses(1)[0] ?? {}, calls.responses(60_000).at(-1) ?? {}],
  gemini: () => [
    candidate(
      many(500_000, () => ({ text: 'a' })),
      true,
    ),
  ],
}
const call = (index: number) => ({
  index,
  id: `c${index}`,
  type: 'function',
  function: { name: 'look', arguments: '{}' },
})
const found = (i: number) => ({ type: 'web_search_result', url: `http://a.example/${i}`, title: 'a' })

const crowdedBody: Record<Protocol, () => object> = {
  chat: () => ({
    ...whole.chat(''),
    choices: [
      { index: 0, message: { role: 'assistant', tool_calls: many(80_000, call) }, finish_reason: 'tool_calls' },
    ],
  }),
  messages: () => ({
    ...whole.messages(''),
    content: many(100_000, (i) => ({ type: 'tool_use', id: `c${i}`, name: 'look', input: {} })),
  }),
  responses: () => ({
    ...whole.responses(''),
    output: many(60_000, (i) => ({
      type: 'function_call',
      id: `f${i}`,
      call_id: `c${i}`,
      name: 'look',
      arguments: '{}',
    })),
  }),
  gemini: () =>
    candidate(
      many(300_000, () => ({ text: 'a' })),
      true,
    ),
}
