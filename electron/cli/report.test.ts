import { describe, expect, it } from 'vitest'
import { noSums, type ReportView } from '../../shared/report.ts'
import { readSince } from './commands/sessions/report.ts'
import { cliHomes } from './testing/cli-homes.ts'
import { sampleStatus, sceneTime } from '../engine/control/testing/fake-control-api.ts'

const MIN = 60_000
const H = 60 * MIN
const from = sceneTime - 10 * H
const sums = { ...noSums, working: 6 * H, outage: H, person: 3 * H }
const report: ReportView = {
  since: from,
  from,
  until: sceneTime,
  sessions: [
    {
      id: 'ses_0001',
      name: 'billing',
      client: 'claude',
      cwd: '/home/ada/code/billing',
      asked: 'all tests green',
      from,
      spans: [],
      sums,
      turns: 12,
      rounds: { here: 3, used: 4, max: 10 },
      claims: { text: 'Two are left.\nI go on.', at: sceneTime },
      reviewed: null,
      checks: [{ name: 'tests', outcome: 'failed', say: '2 of 9 fail', at: sceneTime }],
      diff: { files: 2, added: 12, removed: 1 },
      spent: { tokens: 41_000, costUsd: 0.62 },
      now: { shape: 'needs', say: { code: 'needs-you', what: 'question' } },
      needsYou: true,
    },
  ],
  outages: [
    {
      provider: 'anthropic',
      models: ['opus'],
      from: from + H,
      until: from + 2 * H,
      cause: '529',
      failed: 7,
      sessions: ['ses_0001'],
      lostMs: H,
    },
  ],
  limits: [
    {
      provider: 'zai',
      key: 'main',
      subject: null,
      from: from + 3 * H,
      until: null,
      resets: null,
      sessions: [],
      lostMs: 0,
    },
  ],
  stalls: [{ session: 'ses_0001', from: from + 4 * H, until: from + 5 * H }],
  recoveries: [
    {
      session: 'ses_0001',
      why: 'outage',
      provider: 'anthropic',
      from: from + H,
      until: from + 2 * H,
      by: 'onward',
    },
  ],
  revivals: [{ session: 'ses_0001', at: from + 6 * H, exitCode: null, signal: 'SIGKILL' }],
  total: {
    sums,
    turns: 12,
    rounds: 3,
    followups: { sent: 3, confirmed: 3 },
    alarms: 0,
    checks: { passed: 0, all: 1 },
    diff: { files: 2, added: 12, removed: 1 },
    spent: { tokens: 41_000, costUsd: 0.62 },
  },
}
const asked: (number | null)[] = []
const { against } = cliHomes({
  status: async () => sampleStatus({ zone: 'UTC' }),
  report: async (since) => {
    asked.push(since)
    return report
  },
})

describe('onward report', () => {
  it('tells what one reads in the morning', async () => {
    const { code, out } = await against({}, ['report'])
    expect(code).toBe(0)
    expect(asked.at(-1)).toBeNull()
    expect(out).toMatch(/^Since Saturday 21 November 2026, \d\d:12:00, 10 h\n/)
    for (const part of [
      '1 session needs you.\n',
      'Worked 6 h of 10 h, 60%. 3 rounds, 12 turns, 41.0k tokens, $0.62.\n',
      'billing  claude\n',
      'asked   all tests green\n',
      'claims  Two are left. I go on.\n',
      'checks  Check tests fails: 2 of 9 fail\n',
      'did     12 turns, 3 rounds (4/10 in all), +12 −1 in 2 files, 41.0k tokens, $0.62\n',
      'time    worked 60%: working 6 h, waited for you 3 h, provider down 1 h\n',
      'anthropic/opus failed until ',
      '1 h: 529, overloaded, 1 session waited 1 h\n',
      'zai, key main at its limit since ',
      'billing stalled until ',
      'billing went on by Onward’s word\n',
      'billing ended by itself (SIGKILL) and was started again\n',
    ])
      expect(out).toContain(part)
  })

  it('says that there is nothing, and that records reach less far', async () => {
    const nothing = {
      ...report,
      since: from - H,
      sessions: [],
      outages: [],
      limits: [],
      stalls: [],
      recoveries: [],
      revivals: [],
    }
    const { out } = await against({ report: async () => nothing }, ['report'])
    expect(out).toContain('No record is older: Saturday 21 November 2026')
    expect(out).toContain('No session did anything in this time.\n')
    expect(out).not.toContain('Outages')
  })

  it('prints data, and asks for the time that is wanted', async () => {
    const { out } = await against({}, ['report', '--since', '8h', '--json'])
    expect(JSON.parse(out)).toEqual(report)
    expect(asked.at(-1)).toBe(sceneTime - 8 * H)
  })

  it.each(['soon', '', '25:00', '8', '2026-13-01', '1 Dec'])('does not understand --since “%s”', async (when) => {
    const { code, err } = await against({}, ['report', '--since', when])
    expect(code).toBe(2)
    expect(err).toContain('is no time to begin with')
  })

  it('begins in the past', async () => {
    const { code, err } = await against({}, ['report', '--since', '2999-01-01'])
    expect(code).toBe(2)
    expect(err).toContain('is not over')
  })
})

describe('a time to begin with', () => {
  const now = new Date(2026, 10, 28, 7, 30).getTime()
  const local = (day: number, hour = 0, minute = 0) => new Date(2026, 10, day, hour, minute).getTime()
  it.each([
    ['8h', now - 8 * H],
    ['90 min', now - 90 * MIN],
    ['2d', now - 48 * H],
    ['22:00', local(27, 22)],
    ['7:00', local(28, 7)],
    ['yesterday', local(27)],
    ['Yesterday 18:15', local(27, 18, 15)],
    ['today', local(28)],
    ['2026-11-26', local(26)],
    ['2026-11-27T22:00', local(27, 22)],
    ['2026-11-27 22:00', local(27, 22)],
    ['2026-11-27T22:00:30Z', Date.UTC(2026, 10, 27, 22, 0, 30)],
  ])('is read from “%s”', (text, at) => {
    expect(readSince(text, now)).toBe(at)
  })
})
