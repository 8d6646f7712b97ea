import { describe, expect, it } from 'vitest'
import type { ControlApi } from '../../shared/operations/index.ts'
import { sampleSession, sampleStatus, sceneTime } from '../engine/control/testing/fake-control-api.ts'
import { cliHomes } from './testing/cli-homes.ts'

const { against } = cliHomes()
const one = { id: 'm1', marker: '<**sm:"ship it",3**>', why: 'in-paste', at: sceneTime - 120_000 } as const
const two = {
  id: 'm2',
  marker: '<**sm:file://goals/a.md**>',
  why: 'new-file',
  at: sceneTime,
  goal: 'Ship\nthe shop.',
} as const

function engine(heldMarkers: readonly (typeof one | typeof two)[]) {
  const session = sampleSession({ heldMarkers })
  const asked: unknown[] = []
  const answer = (name: string) => async (input: unknown) => {
    asked.push([name, input])
    return sampleSession()
  }
  const api: Partial<ControlApi> = {
    status: async () => sampleStatus(),
    sessions: async () => [session],
    session: async () => session,
    applyMarker: answer('apply'),
    forgetMarker: answer('forget'),
  }
  return { api, asked }
}
const person = (typed: string) => ({
  tty: { in: true, out: false, err: true, columns: 80 },
  env: { NO_COLOR: '1' },
  askLine: () => typed,
})

describe('markers that were not followed', () => {
  it.each([['markers'], ['status']])('are listed by `onward %s`, with what to do', async (command) => {
    const { code, out } = await against(engine([one, two]).api, [command])
    expect(code).toBe(0)
    expect(out).toContain('◆ billing-service  1  A marker inside pasted text was not followed: <**sm:"ship it",3**>')
    expect(out).toContain('2  A goal from a file waits until you have looked at it: <**sm:file://goals/a.md**>')
    if (command === 'status') expect(out).toContain('onward markers apply <session>')
  })
  it('are said to be none', async () => {
    expect((await against(engine([]).api, ['markers'])).out).toBe('No marker waits for a word.\n')
  })
  it('are applied once a person has seen them, and what stands in their file', async () => {
    const { api, asked } = engine([one, two])
    const { code, err } = await against(api, ['markers', 'apply', 'billing', '2'], person('yes'))
    expect([code, asked]).toEqual([0, [['apply', { session: 'billing', marker: 'm2' }]]])
    expect(err).toContain('<**sm:file://goals/a.md**>')
    expect(err).toMatch(/Its file +Ship/)
  })
  it('are not applied by a program, nor when the person types something else', async () => {
    const { api, asked } = engine([one])
    expect((await against(api, ['markers', 'apply', 'billing'])).code).toBe(4)
    expect((await against(api, ['markers', 'apply', 'billing'], person('no'))).code).toBe(4)
    expect(asked).toEqual([])
  })
  it('are forgotten, and asked which where there are several', async () => {
    const { api, asked } = engine([one, two])
    const { code, err } = await against(api, ['markers', 'forget', 'billing'])
    expect([code, asked]).toEqual([5, []])
    expect(err).toContain('say which, 1 to 2')
    await against(api, ['markers', 'forget', 'billing', '1'])
    expect(asked).toEqual([['forget', { session: 'billing', marker: 'm1' }]])
  })
  it('are named where they wait, when none waits in the session that was meant', async () => {
    const { api, asked } = engine([])
    const other = sampleSession({ id: 'other', name: 'checkout', heldMarkers: [one, two] })
    const sessions = async () => [sampleSession(), other]
    const { code, err } = await against({ ...api, sessions }, ['markers', 'apply', 'billing'], person('yes'))
    expect([code, asked]).toEqual([5, []])
    expect(err).toContain('No marker waits for a word in billing-service. Elsewhere: 2 in checkout.')
    const told = await against({ ...engine([one]).api, sessions }, ['markers', 'forget', 'billing'])
    expect(told.out).toContain('No further marker waits there. Elsewhere: 2 in checkout.')
  })
})
