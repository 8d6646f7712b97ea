/** The alarms of the mocks, relative to `now` (14:12 there). For development and tests only. */
import type { AlarmsView, AlarmView, MissedAlarm, PastAlarm } from '../../../shared/alarms/alarms.ts'

const MINUTE = 60_000

export const sceneZone = 'Europe/Berlin'

export function sceneAlarms(now: number): AlarmsView {
  // On the minute, as alarms that people and models set are.
  const noon = Math.floor(now / MINUTE) * MINUTE
  const at = (minutes: number): number => noon + minutes * MINUTE
  const of = (name: string) => ({ sessionId: `${name}-01jd`, sessionName: name })
  const alarm = (
    taskId: string,
    minutes: number,
    task: string,
    session: string,
    setBy: AlarmView['setBy'],
    over: Partial<AlarmView> = {},
  ): AlarmView => ({
    taskId,
    ...of(session),
    dueAt: at(minutes),
    createdAt: at(-90),
    task,
    tool: null,
    arguments: null,
    setBy,
    state: { kind: 'waits' },
    deliveryCount: 0,
    ...over,
  })
  const missed = (key: string, minutes: number, task: string, session: string): MissedAlarm => ({
    key,
    taskId: key,
    ...of(session),
    dueAt: at(minutes),
    task,
    setBy: 'model',
    why: 'expired',
    at: at(-161),
  })
  const past = (
    id: string,
    minutes: number,
    due: number,
    task: string,
    session: string,
    end: PastAlarm['end'],
  ): PastAlarm => ({ id, at: at(minutes), taskId: id, ...of(session), dueAt: at(due), task, setBy: 'model', end })
  const alarms = [
    alarm('a-flaky', 18, 'Re-run the flaky suite', 'billing-service', 'model', { tool: 'Bash' }),
    alarm('a-docs', 33, 'Check whether the docs build is published', 'docs-site', 'model'),
    alarm('a-limit', 108, 'Go on: the Anthropic limit lifts', 'data-migration', 'user'),
    alarm('a-summary', 228, 'Commit what works and write a summary', 'mobile-app', 'user'),
    alarm('a-import', 363, 'See if the import of 2.4M rows has ended', 'pricing-scraper', 'model'),
    alarm('a-staging', 498, 'Poll the staging deploy', 'infra-terraform', 'model'),
    alarm('a-weekly', 1128, '整理本周的提交，写成周报草稿', '周报整理', 'user'),
    alarm('a-keys', 12_648, 'Rotate the sandbox keys', 'landing-page', 'user'),
  ]
  return {
    waiting: alarms.length,
    alarms,
    missed: [
      missed('m-pr', -187, 'Ask for the review of PR 381', 'auth-rework'),
      missed('m-build', -212, 'Check the nightly build', 'api-gateway'),
    ],
    missedTotal: 2,
    history: [
      past('p-vendor', 0, 120, 'Ping the vendor', 'landing-page', { kind: 'cancelled', by: 'user' }),
      past('p-ci', -22, -22, 'Check CI on main', 'billing-service', { kind: 'delivered', route: 'terminal' }),
      past('p-index', -132, -132, 'Is the index rebuilt?', 'search-indexer', { kind: 'delivered', route: 'request' }),
      past('m-pr', -161, -187, 'Ask for the review of PR 381', 'auth-rework', { kind: 'missed', why: 'expired' }),
      past('m-build', -161, -212, 'Check the nightly build', 'api-gateway', { kind: 'missed', why: 'expired' }),
      past('p-run', -312, -312, 'Start the morning run', 'mobile-app', { kind: 'delivered', route: 'terminal' }),
    ],
    zone: sceneZone,
    retentionMs: 20 * MINUTE,
  }
}
