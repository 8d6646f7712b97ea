import { describe, expect, it } from 'vitest'
import type { TurnRecord } from '../../shared/state.ts'
import { csvOf } from './csv.ts'
import { matchesTurn } from './use-turns.ts'

const turn: TurnRecord = {
  requestId: 'r1', at: Date.UTC(2026, 10, 21, 13), sessionId: 's', scope: null, client: 'claude', entry: 'messages', kind: 'turn', model: 'sonnet', route: { provider: 'zai', model: 'glm-5', keyAlias: null, category: 'default', why: [], skipped: [] },
  status: 200, finish: 'stop', usage: { input: 1, cachedInput: 2, output: 3, reasoning: 4 }, costUsd: 0.5, ttfbMs: 10, durationMs: 20, bytesIn: 30, bytesOut: 40, error: null,
}

describe('turns as CSV', () => {
  it('have a head and one line each, ending as the standard says', () => {
    const [head, line, end] = csvOf([turn], () => 'billing').split('\r\n')
    expect(head?.split(',')).toHaveLength(line?.split(',').length ?? 0)
    expect(line).toBe('2026-11-21T13:00:00.000Z,s,billing,claude,turn,messages,sonnet,zai,glm-5,200,stop,1,2,3,4,0.5,10,20,30,40,r1,')
    expect(end).toBe('')
  })

  it('quote what must be quoted and run no formula', () => {
    const line = csvOf([{ ...turn, usage: null, error: { code: 'x', message: 'a "b",\nc' } }], () => '=HYPERLINK("x")').split('\r\n').slice(1).join('\n')
    expect(line).toContain(`"'=HYPERLINK(""x"")"`)
    expect(line).toContain('"a ""b"",\nc"')
    expect(line).toContain(',stop,,,,,0.5,')
  })
})

describe('a turn matches', () => {
  it.each([['', true], ['BILL', true], ['zai stop', true], ['glm', true], ['codex', false], ['bill nothing', false]])('“%s”: %s', (filter, found) => expect(matchesTurn(turn, 'billing', 'stop', filter)).toBe(found))
})
