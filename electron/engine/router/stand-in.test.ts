import { describe, expect, it } from 'vitest'
import { ask, routerScene, targetOf, threeInOrder } from './testing/scene.ts'
import type { StandIn } from './stand-in.ts'

const inPlaceOf = (failed: readonly string[], tryFailed = false): StandIn => ({ target: 'c.m', failed, tryFailed })
const scene = (standIn: StandIn | null) => {
  let now = standIn
  const calls: string[] = []
  const router = routerScene(threeInOrder, {}, { onCall: (target, good) => calls.push(`${target} ${good}`) })
  router.useStandIns((sessionId) => (sessionId === 's' ? now : null))
  return { ...router, calls, end: () => (now = null) }
}

describe('a stand-in', () => {
  it('takes the session’s turns before what failed, and says why', () => {
    const r = scene(inPlaceOf(['a.m']))
    expect(r.choose(ask()).fact.why).toContainEqual({ code: 'stand-in', target: 'c.m', failed: ['a.m'] })
    expect(targetOf(r.choose(ask()))).toBe('c.m')
    expect(targetOf(r.choose(ask({ sessionId: 'another' })))).toBe('a.m')
    expect(targetOf(r.choose(ask({ model: 'a.m' })))).toBe('c.m')
  })

  it('is no reason to leave what has not failed, and counts for no test and no forced turn', () => {
    const r = scene(inPlaceOf(['b.m']))
    expect(targetOf(r.choose(ask()))).toBe('a.m')
    const direct = scene(inPlaceOf(['a.m']))
    expect(targetOf(direct.choose(ask({ model: 'a.m', test: { key: null } })))).toBe('a.m')
    expect(targetOf(direct.choose(ask({ overrides: { force: 'a.m' } })))).toBe('a.m')
  })

  it('comes before what the session is used to, and leaves no trace of itself at the end', () => {
    const r = scene(null)
    r.serve()
    const used = scene(inPlaceOf(['a.m']))
    expect(targetOf(used.serve())).toBe('c.m')
    used.end()
    expect(targetOf(used.serve())).toBe('a.m')
    expect(used.calls).toEqual(['c.m true', 'a.m true'])
  })

  it('stands behind what failed when nobody has asked that for long', () => {
    const r = scene(inPlaceOf(['a.m', 'b.m'], true))
    const first = r.choose(ask())
    expect(targetOf(first)).toBe('a.m')
    expect(targetOf(r.choose(ask(), [{ choice: first, failure: '503' }]))).toBe('b.m')
  })
})
