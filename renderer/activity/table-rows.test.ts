import { describe, expect, it } from 'vitest'
import { record, session } from '../testing/views.ts'
import type { RouteAttempt, RouteFact } from '../../shared/routing.ts'
import { everyTurn, matchesTurn, nextStep, tableRows, type TurnFilter } from './table-rows.ts'

const route: RouteFact = {
  provider: 'zai',
  model: 'glm-5',
  keyAlias: 'main',
  category: 'default',
  why: [],
  skipped: [],
}
const attempt = (over: Partial<RouteAttempt>): RouteAttempt => ({
  at: 0,
  provider: 'zai',
  model: 'glm-5',
  keyAlias: 'main',
  status: 429,
  code: 'rate-limited',
  durationMs: 1,
  ...over,
})
const words = {
  nameOf: ({ sessionId }: { sessionId: string | null }) => sessionId,
  finish: (kind: string) => kind,
  running: 'running',
}
const works = (id: string, since: number) => session({ id, shape: 'working', say: { code: 'working', turn: 2, since } })

describe('the rows of the table', () => {
  it('are the turns under way, then the others, each above its attempts, newest first', () => {
    const turns = [
      record({
        requestId: 'b',
        route,
        tried: [attempt({ at: 1, provider: 'qwen' }), attempt({ at: 2, keyAlias: 'old' })],
      }),
      record({ requestId: 'a' }),
    ]
    const rows = tableRows(turns, [session({ id: 'idle' }), works('old', 5), works('new', 9)], everyTurn, words)
    expect(rows.map((row) => row.key)).toEqual(['running new', 'running old', 'b', 'b 1', 'b 0', 'a'])
    expect(rows.map((row) => (row.kind === 'attempt' ? row.next : null))).toEqual([
      null,
      null,
      null,
      'key',
      'provider',
      null,
    ])
    expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length)
  })

  it('leave turns under way out where a filter asks for what is not known of them', () => {
    const rows = (filter: Partial<TurnFilter>) =>
      tableRows([], [works('billing', 1)], { ...everyTurn, ...filter }, words).length
    expect([
      rows({}),
      rows({ text: 'BILL running' }),
      rows({ text: 'other' }),
      rows({ provider: 'zai' }),
      rows({ end: 'stop' }),
    ]).toEqual([1, 1, 0, 0, 0])
  })
})

describe('after an attempt', () => {
  it.each([
    ['provider', { provider: 'qwen' }],
    ['model', { model: 'glm-4' }],
    ['key', { keyAlias: 'spare' }],
    ['again', {}],
  ] as const)('comes: %s', (next, over) => expect(nextStep(attempt({}), { ...route, ...over })).toBe(next))
  it('comes nothing when the turn went nowhere', () => expect(nextStep(attempt({}), null)).toBe('nothing'))
})

describe('a turn matches', () => {
  const turn = record({ requestId: 'r', sessionId: 'billing', route, tried: [attempt({ provider: 'qwen' })] })
  const matches = (filter: Partial<TurnFilter>) => matchesTurn(turn, { ...everyTurn, ...filter }, words)
  it.each([
    ['', true],
    ['BILL', true],
    ['zai stop', true],
    ['glm', true],
    ['default', true],
    ['qwen', true],
    ['codex', false],
    ['bill nothing', false],
  ])('the words “%s”: %s', (text, found) => expect(matches({ text })).toBe(found))
  it.each([
    ['zai', true],
    ['qwen', true],
    ['openai', false],
  ])('the provider %s: %s', (provider, found) => expect(matches({ provider })).toBe(found))
  it.each([
    ['stop', true],
    ['error', false],
  ] as const)('the end %s: %s', (end, found) => expect(matches({ end })).toBe(found))
})
