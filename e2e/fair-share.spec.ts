/** Whatever a provider sends, nobody else waits for Onward to be done with it. */
import { beforeAll, describe, expect, it } from 'vitest'
import { notOnLinux, unless } from '../shared/testing/unless.ts'
import { calls, tokens } from './support/long-answers.ts'
import { pairs, watchedEngine } from './support/watched-engine.ts'

const { ask, staysFree } = watchedEngine()
// What a request runs is compiled by then.
beforeAll(async () => {
  for (const pair of pairs) await ask({ ...pair, streams: true, says: [tokens[pair.provider](2_000)] })
})

describe('the event loop is kept by no', () => {
  it.each(pairs)('stream of fifty thousand words from $provider to $client', unless(notOnLinux), async (pair) => {
    await staysFree(async () => {
      expect((await ask({ ...pair, streams: true, says: [tokens[pair.provider](50_000)] })).status).toBe(200)
    })
  })

  it.each(pairs)('stream of thousands of calls from $provider to $client', unless(notOnLinux), async (pair) => {
    const { client, provider } = pair
    // The last event of Responses repeats all of them, in one piece.
    const count = client === 'responses' || provider === 'responses' ? 1_500 : 5_000
    await staysFree(async () => {
      expect((await ask({ ...pair, streams: true, says: [calls[provider](count)] })).body.toString()).toContain('look')
    })
  })
})
