import { describe, expect, it } from 'vitest'
import type { CostCell, CostView } from '../../shared/cost/cost.ts'
import { cliHomes } from './testing/cli-homes.ts'

const sums = { requests: 2, input: 40_000, cachedInput: 30_000, output: 2_000 }
const cells: CostCell[] = [
  {
    session: 'ses_0001',
    provider: 'zai',
    model: 'glm-5',
    ...sums,
    costUsd: 0.4,
    from: 'list',
    cold: { requests: 2, tokens: 30_000, why: { idle: 2 }, costUsd: 0.2 },
    warm: { requests: 3, costUsd: 0.3 },
  },
  { session: 'ses_0001', provider: 'gate', model: 'm-1', ...sums, costUsd: null, unpricedTokens: 42_000 },
  {
    session: 'ses_0002',
    provider: 'zai',
    model: 'glm-5',
    ...sums,
    costUsd: 1.2,
    from: 'list',
    cold: { requests: 1, tokens: 12_000, why: { 'tools-changed': 1 }, costUsd: 0.1 },
  },
  { session: 'ses_0002', provider: 'login', model: 'opus', ...sums, costUsd: null, worthUsd: 3, from: 'plan' },
  { session: null, provider: 'ollama', model: 'qwen', ...sums, costUsd: null, from: 'local' },
]
const midnight = (day: number) => new Date(2026, 10, day).getTime()
const viewOf = (days: number): CostView => ({
  days,
  buckets:
    days === 1
      ? [9, 10, 11].map((hour) => ({
          at: midnight(24) + hour * 3_600_000,
          ms: 3_600_000,
          parts: hour === 9 ? [] : cells,
        }))
      : [21, 22, 23].map((day) => ({ at: midnight(day), ms: 86_400_000, parts: day === 22 ? [] : cells })),
  cells,
  names: { ses_0001: 'billing', ses_0002: '=docs, all' },
})
const asked: number[] = []
const { against } = cliHomes({
  costs: async (days) => {
    asked.push(days)
    return viewOf(days)
  },
})
const cost = async (...words: string[]) => {
  const { code, out, err } = await against({}, ['cost', ...words])
  return {
    code,
    out,
    err,
    lines: out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/\s{2,}/)),
  }
}

describe('onward cost', () => {
  it('tells today by model, dearest first, what has no price, and what is not in the sum', async () => {
    const { code, lines } = await cost()
    expect(code).toBe(0)
    expect(asked.at(-1)).toBe(1)
    expect(lines).toEqual([
      ['model', 'requests', 'in', 'cached', 'out', 'cost'],
      ['zai/glm-5', '4', '80.0k', '60.0k', '4.0k', '$1.60'],
      ['gate/m-1', '2', '40.0k', '30.0k', '2.0k', 'no price'],
      ['login/opus', '2', '40.0k', '30.0k', '2.0k', 'subscription'],
      ['ollama/qwen', '2', '40.0k', '30.0k', '2.0k', 'free'],
      ['all', '10', '200k', '150k', '10.0k', '≥ $1.60'],
      ['Not in the sum: no price known for 42.0k tokens, a subscription paid what is worth $3.00 at list price'],
      ['Cold caches: 3, 42.0k tokens, $0.30 more: idle 2, other tools 1'],
      ['Kept warm: 3 requests, $0.30'],
    ])
  })

  it.each([
    [
      'session',
      [
        ['=docs, all', '$1.20'],
        ['billing', '≥ $0.40'],
        ['no session', 'free'],
        ['all', '≥ $1.60'],
      ],
    ],
    [
      'provider',
      [
        ['zai', '$1.60'],
        ['gate', 'no price'],
        ['login', 'subscription'],
        ['ollama', 'free'],
        ['all', '≥ $1.60'],
      ],
    ],
    [
      'day',
      [
        ['2026-11-21', '≥ $1.60'],
        ['2026-11-23', '≥ $1.60'],
        ['all', '≥ $3.20'],
      ],
    ],
  ])('sums up by %s', async (by, expected) => {
    const { lines } = await cost('--days', '14', '--by', by)
    expect(asked.at(-1)).toBe(14)
    expect(lines[0]?.[0]).toBe(by)
    expect(lines.slice(1, -3).map((line) => [line[0], line.at(-1)])).toEqual(expected)
  })

  it('has one line for today, whose parts are hours', async () => {
    expect((await cost('--by', 'day')).lines.slice(1, -3).map((line) => line[0])).toEqual(['2026-11-24'])
  })

  it('prints data', async () => {
    const { out } = await cost('--by', 'session', '--json')
    expect(JSON.parse(out)).toMatchObject({
      days: 1,
      by: 'session',
      rows: [
        { session: 'ses_0002', name: '=docs, all', requests: 4, costUsd: 1.2, worthUsd: 3 },
        { session: 'ses_0001', name: 'billing', costUsd: 0.4, unpricedTokens: 42_000 },
        { session: null, name: null, costUsd: null, from: 'local' },
      ],
      total: { requests: 10, costUsd: 1.6, unpricedTokens: 42_000, cold: { requests: 3, tokens: 42_000 } },
    })
  })

  it('prints a file for a spreadsheet, in which no name is run as a formula', async () => {
    const { out } = await cost('--by', 'session', '--csv')
    expect(out.trimEnd().split('\r\n')).toEqual([
      'session,name,requests,input_tokens,cached_tokens,output_tokens,cost_usd,price,unpriced_tokens,worth_usd,' +
        'cold_tokens,cold_usd,warm_usd',
      `ses_0002,"'=docs, all",4,80000,60000,4000,1.2,plan,0,3,12000,0.1,`,
      'ses_0001,billing,4,80000,60000,4000,0.4,list,42000,0,30000,0.2,0.3',
      ',,2,40000,30000,2000,,local,0,0,0,,',
    ])
  })

  it('says that nothing was used', async () => {
    const none = { costs: async (days: number) => ({ ...viewOf(days), cells: [], buckets: [] }) }
    expect((await against(none, ['cost'])).out).toBe('No request was answered today.\n')
    expect((await against(none, ['cost', '--days', '7'])).out).toBe('No request was answered in the last 7 days.\n')
    expect((await against(none, ['cost', '--csv'])).out).toMatch(/^provider,model,requests,.*\r\n$/)
  })

  it.each([
    [['--days', '0'], /from 1 to 92, not “0”/],
    [['--days', '93'], /from 1 to 92/],
    [['--days', '1.5'], /from 1 to 92/],
    [['--by', 'colour'], /model, session, provider, day/],
    [['--csv', '--json'], /--csv.*--json/],
  ])('does not understand %j', async (words, why) => {
    const { code, err } = await cost(...words)
    expect(code).toBe(2)
    expect(err).toMatch(why)
  })
})
