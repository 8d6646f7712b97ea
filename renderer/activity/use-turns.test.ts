import { describe, expect, it } from 'vitest'
import { record } from '../testing/views.ts'
import { mostTurns, withFresh } from './use-turns.ts'

const ids = (turns: readonly { requestId: string }[]) => turns.map((turn) => turn.requestId)

describe('records that come while one looks', () => {
  it('go on top, each once, the fresh one in place of the old', () => {
    const known = [record({ requestId: 'b', at: 2, status: 200 }), record({ requestId: 'a', at: 1 })]
    const all = withFresh(known, [record({ requestId: 'c', at: 3 }), record({ requestId: 'b', at: 2, status: 500 })])
    expect(ids(all)).toEqual(['c', 'b', 'a'])
    expect(all[1]?.status).toBe(500)
  })

  it('push the oldest out', () => {
    const known = Array.from({ length: mostTurns }, (_, i) => record({ requestId: `${i}`, at: mostTurns - i }))
    const all = withFresh(known, [record({ requestId: 'new', at: mostTurns + 1 })])
    expect(all).toHaveLength(mostTurns)
    expect(all[0]?.requestId).toBe('new')
  })
})
