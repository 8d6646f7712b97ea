import { describe, expect, it } from 'vitest'
import type { ControlApi } from '../../shared/operations/index.ts'
import { sentencesOf } from '../../shared/sentences/index.ts'
import { sampleSession, sceneTime } from '../engine/control/testing/fake-control-api.ts'
import { cliHomes } from './testing/cli-homes.ts'

const { against } = cliHomes()

describe('resume-at-reset', () => {
  const limit = {
    provider: 'anthropic',
    since: sceneTime - 120_000,
    lifts: sceneTime + 6_480_000,
    resume: true,
    resumeAt: sceneTime + 6_485_000,
  }
  const limited = sampleSession({ shape: 'held', say: { code: 'limited', ...limit }, limit, resumeAtReset: true })
  const calls: unknown[][] = []
  const answer =
    (name: string) =>
    async (...args: unknown[]) => {
      calls.push([name, ...args])
      return limited
    }
  const api = {
    session: answer('session'),
    setResumeAtReset: answer('set'),
    cancelResume: answer('cancel'),
  } as unknown as Partial<ControlApi>

  it.each([
    [[], ['session', 'b']],
    [['on'], ['set', { session: 'b', on: true }]],
    [['off'], ['set', { session: 'b', on: false }]],
    [['cancel'], ['cancel', 'b']],
  ])('%j', async (words, expected) => {
    calls.length = 0
    const { code, out } = await against(api, ['resume-at-reset', 'b', ...words])
    const { minute } = sentencesOf('en').figures
    expect(code).toBe(0)
    expect(calls).toEqual([expected])
    expect(out).toMatch(/^◐ claude +billing-service +Limit of anthropic reached/)
    expect(out).toContain('  Resume at reset  on\n')
    expect(out).toContain(
      `  Limit            anthropic, reached at ${minute(limit.since)}, lifts at ${minute(limit.lifts)}\n`,
    )
    expect(out).toContain(`  Goes on          at ${minute(limit.resumeAt)}, in 1 h 48 min\n`)
  })
  it.each<[string, Partial<typeof limited>, string]>([
    ['no limit', { limit: undefined, resumeAtReset: undefined }, '  Resume at reset  off\n'],
    [
      'a limit that tells no time',
      { limit: { ...limit, lifts: null, resumeAt: null } },
      '  Goes on          when the provider answers again\n',
    ],
    [
      'a limit nobody waits for',
      { limit: { ...limit, resume: false, resumeAt: null } },
      '  Goes on          not by itself\n',
    ],
  ])('says how it stands: %s', async (_name, more, line) => {
    expect((await against({ session: async () => ({ ...limited, ...more }) }, ['resume-at-reset', 'b'])).out).toContain(
      line,
    )
  })
  it('is one JSON document for programs, and refuses other words', async () => {
    expect(JSON.parse((await against(api, ['resume-at-reset', 'b', '--json'])).out)).toMatchObject({
      limit,
      resumeAtReset: true,
    })
    expect((await against(api, ['resume-at-reset', 'b', 'maybe'])).code).toBe(2)
  })
})
