import { describe, expect, it } from 'vitest'
import type { EventBody } from '../../../../shared/events.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import type { HiddenCall } from '../../protocol/server-tools/types.ts'
import { emptyReplyContinue } from '../empty-reply.ts'
import { createRegistry } from '../registry.ts'
import { automaticTool, calledTool, switchesOf, turnView } from '../testing/tools.ts'
import type { Servertool, ToolPlan, TurnView } from '../types.ts'
import { createToolRounds } from './tool-rounds.ts'

const call = (name: string, id = name, args = '{}'): HiddenCall => ({ id, name, arguments: args })
const plan = (text: string): ToolPlan => ({ kind: 'result', text })

function world(
  tools: readonly Servertool[],
  {
    view,
    maxDepth = 1,
    maxSeconds = 900,
    tools: switches,
  }: { view?: Partial<TurnView>; maxDepth?: number; maxSeconds?: number; tools?: Record<string, boolean> } = {},
) {
  const clock = virtualClock()
  const events: EventBody[] = []
  const registry = createRegistry(tools, switchesOf(switches ? { servertools: { tools: switches } } : {}))
  const rounds = createToolRounds(turnView(view), new Set(['echo', 'fail', 'slow', 'go']), {
    registry,
    clock,
    record: (_, body) => {
      events.push(body)
    },
    limits: () => ({ maxDepth, maxSeconds }),
  })
  const leaving = new AbortController()
  return {
    clock,
    events,
    rounds,
    leaving,
    answer: (depth: number, hidden: readonly HiddenCall[], clientCalls = 0) =>
      rounds.answerCalls({ depth, hidden, clientCalls }, leaving.signal),
    types: () => events.map(({ type }) => type),
  }
}
const ended = { finish: 'stop', streaming: true, signal: () => new AbortController().signal } as const
const echo = calledTool('echo', async ({ input }) => plan(JSON.stringify(input)))

describe('calls of one round', () => {
  it('run, and their results go up in another', async () => {
    const w = world([echo])
    expect(await w.answer(0, [call('echo', 'a', '{"x":1}'), call('echo', 'b', '')])).toEqual({
      kind: 'answer',
      results: [
        { call: call('echo', 'a', '{"x":1}'), text: '{"x":1}', isError: false },
        { call: call('echo', 'b', ''), text: '{}', isError: false },
      ],
    })
    expect(w.rounds.runs).toMatchObject([
      { tool: 'echo', round: 1, bytes: 7, failure: null },
      { tool: 'echo', round: 1, failure: null },
    ])
    expect(w.types()).toEqual([
      'servertool-called',
      'servertool-called',
      'servertool-ran',
      'servertool-ran',
      'servertool-round',
    ])
    expect(w.rounds.did).toBe('did echo')
  })

  it('beside the client’s own end the answer, with their results kept', async () => {
    const w = world([echo])
    expect(await w.answer(0, [call('echo')], 1)).toMatchObject({
      kind: 'end',
      results: [{ text: '{}', isError: false }],
    })
    expect(w.types()).not.toContain('servertool-round')
  })

  it.each<[string, Servertool, string, string]>([
    [
      'throws',
      calledTool('echo', async () => {
        throw new Error('boom')
      }),
      'failed',
      'boom',
    ],
    [
      'is off by now',
      calledTool('echo', async () => plan('never')),
      'switched-off',
      'The tool echo is switched off. Go on without it.',
    ],
    [
      'has a problem by now',
      calledTool('echo', async () => plan('never'), { problem: () => 'no key' }),
      'not-available',
      'The tool echo is not available: no key',
    ],
  ])('tell the model when a tool %s', async (what, tool, code, message) => {
    const w = world([tool], what === 'is off by now' ? { tools: { echo: false } } : {})
    const step = await w.answer(0, [call('echo')])
    expect(step).toMatchObject({ kind: 'answer', results: [{ isError: true }] })
    expect(JSON.parse(step.kind === 'answer' ? (step.results[0]?.text ?? '') : '')).toEqual({
      ok: false,
      retryable: true,
      error: { code, message },
    })
    expect(w.events).toContainEqual(expect.objectContaining({ type: 'servertool-failed', tool: 'echo', code, message }))
    expect(w.rounds.runs).toMatchObject([{ failure: message }])
  })

  it('give up on a tool that does not answer in its time', async () => {
    const w = world([calledTool('slow', () => new Promise(() => undefined), { timeoutMs: () => 15_000 })])
    const asked = w.answer(0, [call('slow')])
    await w.clock.advance(15_000)
    expect(await asked).toMatchObject({
      kind: 'answer',
      results: [{ isError: true, text: expect.stringContaining('15 s') as string }],
    })
    expect(w.rounds.runs).toMatchObject([{ ms: 15_000 }])
  })

  it('are let go when the client leaves', async () => {
    let stopped = false
    const w = world([
      calledTool(
        'slow',
        (_, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              stopped = true
              reject(new Error('stopped'))
            })
          }),
      ),
    ])
    const asked = w.answer(0, [call('slow')])
    w.leaving.abort()
    expect(await asked).toMatchObject({ results: [{ isError: true }] })
    expect(stopped).toBe(true)
  })

  it('of one tool wait for each other where it says so', async () => {
    const order: string[] = []
    const waiting: (() => void)[] = []
    const tool = (inOrder: boolean) =>
      calledTool(
        'echo',
        async ({ id }) => {
          order.push(`> ${id}`)
          await new Promise<void>((done) => {
            waiting.push(done)
          })
          order.push(`< ${id}`)
          return plan(id)
        },
        { inOrder },
      )
    for (const inOrder of [true, false]) {
      order.length = 0
      const asked = world([tool(inOrder)]).answer(0, [call('echo', 'a'), call('echo', 'b')])
      while (order.length < 4) {
        await Promise.resolve()
        waiting.shift()?.()
      }
      await asked
      expect(order).toEqual(inOrder ? ['> a', '< a', '> b', '< b'] : ['> a', '> b', '< a', '< b'])
    }
  })

  it('are taken out of anything but a turn', async () => {
    const w = world([echo], { view: { kind: 'compaction' } })
    expect(await w.answer(0, [call('echo')])).toMatchObject({ kind: 'end', results: [{ isError: true }] })
    expect(w.events).toEqual([{ type: 'servertool-stripped', tools: ['echo'], why: 'not-a-turn' }])
  })

  it('are run up to 64 in one answer; the others are told so', async () => {
    let ran = 0
    const w = world([calledTool('echo', async () => plan(`${++ran}`))])
    const calls = Array.from({ length: 10_000 }, (_, i) => call('echo', `c${i}`))
    const step = await w.answer(0, calls)
    expect(ran).toBe(64)
    expect(w.rounds.runs).toHaveLength(64)
    if (step.kind !== 'answer') throw new Error('it ended')
    expect(step.results.map((result) => result.call.id)).toEqual(calls.map(({ id }) => id))
    expect(step.results.filter(({ isError }) => !isError)).toHaveLength(64)
    expect(JSON.parse(step.results.at(-1)?.text ?? '')).toMatchObject({
      ok: false,
      error: { code: 'too-many-calls', message: expect.stringContaining('the first 64 calls') as string },
    })
    expect(w.events.filter(({ type }) => type === 'servertool-called')).toHaveLength(64)
    const [stripped] = w.events.filter(({ type }) => type === 'servertool-stripped')
    expect(stripped).toMatchObject({ calls: 9_936, why: 'calls' })
    expect(JSON.stringify(w.events).length).toBeLessThan(20_000)
  })

  it('are not waited for by the next turn, where some were not run', async () => {
    const go = calledTool('go', async () => ({ kind: 'continue', text: 'on', result: 'soon', said: 'goes on' }))
    const calls = Array.from({ length: 65 }, (_, i) => call('go', `c${i}`))
    expect((await world([go]).answer(0, calls)).kind).toBe('answer')
  })

  it('cut a result that nobody could read', async () => {
    const step = await world([calledTool('echo', async () => plan('x'.repeat(300_000)))]).answer(0, [call('echo')])
    expect(step.kind === 'answer' && step.results[0]?.text.length).toBeLessThan(200_100)
    expect(step.kind === 'answer' && step.results[0]?.text).toContain('300000 characters')
  })
})

describe('how deep it goes', () => {
  it.each([
    [0, 1],
    [1, 2],
    [3, 4],
  ])(
    'with a depth of %d the first %d rounds run, one more is told no, and the next is taken out',
    async (maxDepth, runs) => {
      const w = world([echo], { maxDepth })
      for (let depth = 0; depth < runs; depth++)
        expect(await w.answer(depth, [call('echo')])).toMatchObject({ kind: 'answer', results: [{ isError: false }] })
      expect(await w.answer(runs, [call('echo')])).toMatchObject({
        kind: 'answer',
        results: [{ isError: true, text: expect.stringContaining('"depth"') as string }],
      })
      expect(await w.answer(runs + 1, [call('echo')])).toMatchObject({ kind: 'end', results: [{ isError: true }] })
      expect(w.rounds.runs).toHaveLength(runs)
      expect(w.events.at(-1)).toEqual({ type: 'servertool-stripped', tools: ['echo'], why: 'depth' })
    },
  )

  it('takes out what is too deep beside the client’s own calls', async () => {
    const w = world([echo], { maxDepth: 0 })
    expect(await w.answer(1, [call('echo')], 2)).toMatchObject({ kind: 'end', results: [{ isError: true }] })
  })

  it('ends when the rounds have taken too long', async () => {
    const w = world([echo], { maxDepth: 50, maxSeconds: 900 })
    await w.clock.advance(900_001)
    expect(await w.answer(1, [call('echo')])).toMatchObject({
      kind: 'answer',
      results: [{ isError: true, text: expect.stringContaining('"time"') as string }],
    })
    expect(await w.answer(2, [call('echo')])).toMatchObject({ kind: 'end' })
    expect(w.events.at(-1)).toMatchObject({ why: 'time' })
  })
})

describe('going on in the next turn', () => {
  const go = calledTool('go', async ({ id }) => ({
    kind: 'continue',
    text: `next ${id}`,
    result: 'soon',
    said: 'goes on',
  }))

  it('ends the answer', async () => {
    const w = world([go])
    expect(await w.answer(0, [call('go', 'a'), call('go', 'b')])).toMatchObject({
      kind: 'end',
      results: [{ text: 'soon' }, { text: 'soon' }],
    })
    expect(w.rounds.continueWith).toEqual({ text: 'next a' })
  })
  it('is nothing beside a call of the client’s', async () => {
    const w = world([go])
    expect(await w.answer(0, [call('go')], 1)).toMatchObject({ kind: 'end' })
    expect(w.rounds.continueWith).toBeNull()
  })
  it('lets other tools answer first', async () => {
    const w = world([go, echo])
    expect(await w.answer(0, [call('go'), call('echo')])).toMatchObject({ kind: 'answer' })
    expect(w.rounds.continueWith).toEqual({ text: 'next go' })
  })
})

describe('automatic ones', () => {
  it('are asked in their order, and the first that says something ends it', async () => {
    const asked: string[] = []
    const tool = (name: string, priority: number, text: string | null) =>
      automaticTool(name, priority, async () => {
        asked.push(name)
        return text === null ? null : { kind: 'reenter', text, note: name }
      })
    const w = world([tool('c', 3, 'C'), tool('a', 1, null), tool('b', 2, 'B')])
    expect(await w.rounds.react({ ...ended, depth: 0, empty: true, clientLeft: false })).toEqual({
      kind: 'reenter',
      text: 'B',
      results: [],
    })
    expect(asked).toEqual(['a', 'b'])
    // One further round is the limit, even if another tool wants one.
    expect(await w.rounds.react({ ...ended, depth: 1, empty: true, clientLeft: false })).toEqual({
      kind: 'end',
      results: [],
    })
  })
  it('that throw are told of and passed over', async () => {
    const w = world([
      automaticTool('a', 1, async () => {
        throw new Error('boom')
      }),
      automaticTool('b', 2, async () => ({ kind: 'reenter', text: 'B', note: '' })),
    ])
    expect(await w.rounds.react({ ...ended, depth: 0, empty: false, clientLeft: false })).toMatchObject({
      kind: 'reenter',
      text: 'B',
    })
    expect(w.events).toMatchObject([
      { type: 'servertool-failed', tool: 'a', message: 'boom' },
      { type: 'servertool-reacted', tool: 'b' },
    ])
  })
  it('leave everything but turns alone', async () => {
    const w = world([automaticTool('a', 1, async () => ({ kind: 'reenter', text: 'A', note: '' }))], {
      view: { kind: 'probe' },
    })
    expect(await w.rounds.react({ ...ended, depth: 0, empty: true, clientLeft: false })).toEqual({
      kind: 'end',
      results: [],
    })
    expect(w.rounds.watchesEnd).toBe(false)
  })
})

describe('an end of the first round', () => {
  const said = { finish: 'stop', empty: false, streaming: true } as const

  it('is nothing to ask about where each automatic one says so', () => {
    const { rounds } = world([emptyReplyContinue])
    expect(rounds.mayReact(said)).toBe(false)
    expect(rounds.mayReact({ ...said, empty: true, finish: 'length' })).toBe(false)
    expect(rounds.mayReact({ ...said, empty: true })).toBe(true)
  })

  it('is one where an automatic one does not', () => {
    expect(world([automaticTool('any', 1, async () => null)]).rounds.mayReact(said)).toBe(true)
    expect(world([emptyReplyContinue, automaticTool('any', 1, async () => null)]).rounds.mayReact(said)).toBe(true)
  })

  it('is none of a request that is no turn, nor where they are off', () => {
    const any = automaticTool('any', 1, async () => null)
    expect(world([any], { view: { kind: 'title' } }).rounds.mayReact(said)).toBe(false)
    expect(world([any], { tools: { any: false } }).rounds.mayReact(said)).toBe(false)
  })
})
