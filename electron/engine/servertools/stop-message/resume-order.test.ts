import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { pause } from '../../base/clock.ts'
import { T } from '../../terminals/outbox/testing/bench.ts'
import { openWorld, type TurnOptions } from './testing/world.ts'

interface Order {
  /** before the turn begins, within it, or after it */
  resumes: 'before' | 'within' | 'behind'
  /** between resuming and the next step, and between the turn's two ends */
  gaps: readonly [number, number]
  /** how long a text takes to be typed, and to be taken out again */
  types: number
  takesOut: number
  /** the person's own turn, the agent's own way on, or a request beside it that has no session */
  by: 'person' | 'agent' | 'nobody'
}

const ms = fc.constantFrom(0, 20, 50, 300, 1_000, 3_000)
const order: fc.Arbitrary<Order> = fc.record({
  resumes: fc.constantFrom('before', 'within', 'behind'),
  gaps: fc.tuple(ms, ms),
  types: ms,
  takesOut: ms,
  by: fc.constantFrom('person', 'agent', 'nobody'),
})

/** A goal is paused when its agent stops; it is resumed around the next turn, which stops as well. */
async function run({ resumes, gaps, types, takesOut, by }: Order): Promise<void> {
  const w = await openWorld()
  const { clock } = w
  const target = w.target()
  target.answer = async (_, { stop }, what) => {
    if (what === 'take-out') {
      await pause(clock, takesOut)
      return { kind: 'removed' }
    }
    const typed = await pause(clock, types, stop)
    return typed
      ? { kind: 'submitted', extraEnter: false }
      : { kind: 'enter-owed', reason: { code: 'response-running' } }
  }
  await w.stop.arm(T, { sessionId: 's1', text: 'go on', max: 3, review: false, by: 'marker' })
  const first = await w.begin('do it')
  await w.stop.pause(T)
  await w.end(first)
  const underWay: Promise<unknown>[] = []
  const busy = (now: boolean) => {
    target.reading = now ? { kind: 'hold', reason: { code: 'agent-busy' } } : { kind: 'ready', bracketedPaste: true }
    target.change()
  }
  const resume = async () => {
    underWay.push(w.stop.resume(T))
    await clock.advance(gaps[0])
  }
  if (resumes === 'before') await resume()
  const request = `next-${by}`
  busy(true)
  const what: Partial<TurnOptions> =
    by === 'nobody' ? { kind: 'title', hasNewMainTurn: false, sessionId: null } : { hasNewMainTurn: by === 'person' }
  underWay.push(w.begin('and this', { ...what, requestId: request }))
  if (resumes === 'within') await resume()
  await clock.advance(gaps[1])
  underWay.push(w.end(request, what))
  busy(false)
  if (resumes === 'behind') await resume()
  await Promise.all(underWay)
  await clock.advance(10_000)
  // It goes on, or says why not.
  expect([w.stop.view(T).stopMessage?.status.kind, target.typed.length > 0]).not.toEqual(['armed', false])
  expect(['injecting', 'paused']).toContain(w.stop.view(T).stopMessage?.status.kind)
  w.stop.dispose()
  w.outboxes.dispose()
}

describe('a goal that is resumed around a turn', () => {
  it('goes on behind that turn, whatever comes first', async () => {
    await fc.assert(fc.asyncProperty(order, run), runs(600))
  })
})
