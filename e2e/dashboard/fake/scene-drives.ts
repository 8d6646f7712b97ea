import type { DriveAsk, DriveLimits, OwnDrive } from '../../../shared/drives.ts'

const MINUTE = 60_000

/** What an agent set itself, one of each kind and state. */
export function sceneDrives(now: number): readonly OwnDrive[] {
  const facts = (id: string, what: string | null, ago: number, source: string) => ({
    id,
    what,
    since: now - ago * MINUTE,
    seen: now - MINUTE,
    source,
    version: '2.1.332',
    turns: 0,
    tokens: 0,
    costUsd: null,
    state: { is: 'on' as const },
  })
  const bound = (
    limits: Partial<DriveLimits>,
    turns: number,
    costUsd: number | null,
    asked: DriveAsk | null = null,
  ) => ({
    bound: {
      rounds: null,
      hours: null,
      tokens: null,
      costUsd: null,
      ...limits,
      from: { since: now - 10 * MINUTE, turns, tokens: 0, costUsd },
      asked,
    },
  })
  const used = (turns: number, tokens: number, costUsd: number) => ({ turns, tokens, costUsd })
  const comes = (next: number, latest = next) => ({
    prompt: 'x',
    next: now + next * MINUTE,
    latest: now + latest * MINUTE,
  })
  return [
    {
      ...facts('goal', 'Every page has an example that runs', 101, 'message'),
      kind: 'goal',
      works: true,
      ...used(9, 341_000, 0.63),
    },
    {
      ...facts('b7', 'npm run docs:watch', 108, 'Bash'),
      kind: 'command',
      ...used(4, 68_000, 0.12),
      since: null,
      state: { is: 'unknown', at: now, why: 'history' },
    },
    {
      ...facts('c28d41ae', 'Check the link report', 67, 'CronCreate'),
      kind: 'schedule',
      cron: '*/20 * * * *',
      once: false,
      ...comes(13, 23),
      ...used(3, 96_000, 0.18),
      ...bound({ rounds: 12 }, 0, null),
    },
    {
      ...facts('11992108', 'Read the crawl result', 61, 'CronCreate'),
      kind: 'schedule',
      cron: '41 13 21 11 *',
      once: true,
      prompt: 'x',
      next: null,
      latest: null,
      ...used(1, 31_000, 0.06),
      state: { is: 'missed', due: now - 31 * MINUTE, at: now - 29 * MINUTE, rescued: true },
    },
    { ...facts('wakeup', 'Look at the preview build', 14, 'ScheduleWakeup'), kind: 'wakeup', armed: true, ...comes(6) },
    { ...facts('b9', 'npx linkcheck --all', 10, 'Bash'), kind: 'command', state: { is: 'stopping', at: now } },
    {
      ...facts('a1', 'Find unused pages', 3, 'Agent'),
      kind: 'agent',
      ...used(8, 42_000, 0.05),
      ...bound({ tokens: 2_000_000, costUsd: 1 }, 0, 0.01),
    },
    {
      ...facts('a2', 'Write the API examples', 17, 'Agent'),
      kind: 'agent',
      ...used(31, 201_000, 0.38),
      state: { is: 'over', at: now - 2 * MINUTE, how: 'ended' },
    },
  ]
}
