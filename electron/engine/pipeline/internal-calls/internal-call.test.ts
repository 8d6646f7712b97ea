import { describe, expect, it } from 'vitest'
import { systemRandom } from '../../base/ids.ts'
import { OnwardError } from '../../base/errors.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { createInternalCall } from './internal-call.ts'
import type { ClientCall, RunTurn } from '../turn.ts'

const ask = {
  entry: 'chat',
  path: '/v1/chat/completions',
  body: { model: 'p/m' },
  kind: 'probe',
  test: { key: 'main' },
  withinMs: 30_000,
} as const
function call(runTurn: RunTurn) {
  const clock = virtualClock()
  return { clock, run: createInternalCall({ runTurn, clock, random: systemRandom(), version: '1' }) }
}

describe('a call of the engine itself', () => {
  it('is a client’s call without a client, and gives the whole answer', async () => {
    let got: ClientCall | null = null
    const { run } = call(async (asked) => {
      got = asked
      asked.reply.head(200, { 'content-type': ['application/json'] })
      asked.reply.write(Buffer.from('{"a"'))
      asked.reply.end(Buffer.from(':1}'))
    })
    expect(await run(ask)).toMatchObject({
      status: 200,
      contentType: 'application/json',
      body: Buffer.from('{"a":1}'),
      error: null,
    })
    expect(got).toMatchObject({
      entry: 'chat',
      endpoint: 'generate',
      method: 'POST',
      internal: { kind: 'probe' },
      test: { key: 'main' },
      body: Buffer.from('{"model":"p/m"}'),
      headers: { 'user-agent': 'onward/1' },
    })
  })

  it('leaves when it takes too long, which ends the turn', async () => {
    const { clock, run } = call(
      (asked) =>
        new Promise((done) => {
          asked.reply.head(200, {})
          asked.reply.onClose(() => {
            expect(asked.reply.left).toBe(true)
            done()
          })
        }),
    )
    const answer = run(ask)
    await clock.advance(30_000)
    expect((await answer).error).toMatchObject({ code: 'timed-out', message: 'There was no whole answer within 30 s.' })
    expect(clock.pending()).toBe(0)
  })

  it('leaves when it is given up, and does not begin when it was before', async () => {
    const { clock, run } = call(
      (asked) =>
        new Promise((done) => {
          asked.reply.onClose(() => {
            expect(asked.reply.left).toBe(true)
            done()
          })
        }),
    )
    const giveUp = new AbortController()
    const answer = run({ ...ask, signal: giveUp.signal })
    giveUp.abort()
    expect((await answer).error).toMatchObject({ code: 'stopped' })
    expect(clock.pending()).toBe(0)
    const never = call(() => {
      throw new Error('it began')
    })
    expect((await never.run({ ...ask, signal: giveUp.signal })).error).toMatchObject({ code: 'stopped' })
    expect(never.clock.pending()).toBe(0)
  })

  it('that came whole is an answer, whoever gives it up then', async () => {
    const giveUp = new AbortController()
    const { run } = call(async ({ reply }) => {
      reply.head(200, {})
      reply.end(Buffer.from('{}'))
      giveUp.abort()
    })
    expect((await run({ ...ask, signal: giveUp.signal })).error).toBeNull()
  })

  it('may say which session it is about', async () => {
    const got: ClientCall['internal'][] = []
    const { run } = call(async (asked) => {
      got.push(asked.internal)
      asked.reply.end()
    })
    await run({ ...ask, about: 's1' })
    await run(ask)
    expect(got).toEqual([
      { kind: 'probe', withinMs: ask.withinMs, about: 's1' },
      { kind: 'probe', withinMs: ask.withinMs },
    ])
  })

  it.each<[string, RunTurn, string]>([
    [
      'what the turn failed with',
      async () => {
        throw new OnwardError('no-route', 'nothing')
      },
      'no-route',
    ],
    [
      'a fault',
      async () => {
        throw new TypeError('boom')
      },
      'internal',
    ],
    [
      'an answer that broke off',
      async ({ reply }) => {
        reply.head(200, {})
        reply.write(Buffer.from('{'))
        reply.abort()
      },
      'upstream-broke-off',
    ],
    ['no answer at all', async () => undefined, 'upstream-broke-off'],
  ])('tells %s', async (_what, runTurn, code) => {
    const { clock, run } = call(runTurn)
    expect((await run(ask)).error?.code).toBe(code)
    expect(clock.pending()).toBe(0)
  })

  it('gives an answer up that is longer than a MiB', async () => {
    const { run } = call(
      ({ reply }) =>
        new Promise((left) => {
          reply.onClose(left)
          reply.head(200, {})
          while (!reply.left) reply.write(Buffer.alloc(64 * 1024))
        }),
    )
    const { body, error } = await run(ask)
    expect(body.length).toBe(1024 * 1024)
    expect(error).toMatchObject({ code: 'answer-too-large', message: 'The answer is longer than 1 MiB.' })
  })
})
