import { describe, expect, it } from 'vitest'
import type { TypeControl, TypeResult } from '../types.ts'
import { eachBench } from './testing/each-bench.ts'

const b = eachBench()
const { add, afterSettle, states } = b

describe('failure', () => {
  it.each<[TypeResult & { kind: 'failed' }]>([
    [{ kind: 'failed', reason: { code: 'not-submitted' } }],
    [{ kind: 'failed', reason: { code: 'dialog-took-text' } }],
    [{ kind: 'failed', reason: { code: 'agent-gone' } }],
  ])('%j is final: nothing is tried again', async (result) => {
    b.bench.target().answer = () => result
    await add('go on')
    await b.bench.clock.advance(3_600_000)
    expect(b.bench.target().typed).toHaveLength(1)
    expect(b.news).toEqual([`failed go on ${result.reason.code}`])
  })
  it('of a terminal that is gone takes every waiting entry', async () => {
    b.bench.target().reading = { kind: 'gone', reason: { code: 'terminal-gone', why: 'pane closed' } }
    await add('one')
    await add('two')
    await afterSettle()
    expect(states()).toEqual(['failed', 'failed'])
    expect(b.bench.target().typed).toEqual([])
  })
  it.each(['submitted', 'enter-owed'] as const)(
    'of a terminal that goes in the very moment of typing takes that entry too, though it says “%s”',
    async (kind) => {
      b.bench.target().answer = (_, { stop }) =>
        new Promise((resolve) => {
          const result: TypeResult =
            kind === 'submitted'
              ? { kind, extraEnter: false }
              : { kind, reason: { code: 'shell-in-front', program: 'sh' } }
          stop.addEventListener('abort', () => resolve(result))
        })
      await add('one')
      await add('two')
      await afterSettle()
      expect(states()).toEqual(['typing', 'queued'])
      await b.outbox.gone({ code: 'agent-gone' })
      expect(states()).toEqual(['failed', 'failed'])
    },
  )
  it('no answer of the terminal while typing is none: the screen tells', async () => {
    let control: TypeControl | null = null
    b.bench.target().answer = (_, c) => {
      control = c
      return new Promise(() => {})
    }
    await add('go on')
    await b.bench.clock.advance(b.bench.settings.settleMs + b.bench.settings.typeMs)
    expect(b.outbox.list()[0]).toMatchObject({ state: 'queued', hold: { code: 'screen-unread' } })
    expect(control).toMatchObject({ stop: { aborted: true } })
  })
})
