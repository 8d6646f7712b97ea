/**
 * Every variant of every union the sentences speak about. Records keyed by the discriminant, so that a new variant
 * does not compile without an example here.
 */
import type { BackgroundWait } from '../background.ts'
import { reviveRests } from '../events.ts'
import { permissionTo } from './needs.ts'
import type { OutsideFailure, OutsideState } from '../notifications.ts'
import type {
  BudgetKind,
  ClearedBy,
  DecisionStep,
  DoneReason,
  EventBody,
  EventType,
  FailReason,
  FinishKind,
  FollowupSource,
  HoldReason,
  PauseReason,
  SkipReason,
} from '../events.ts'
import type { NoticeKind } from '../notice-classes.ts'
import type { CheckRun, ReviewOutcome, ReviewView } from '../review.ts'
import type { OutboxState, SessionSay } from '../state.ts'
import type { RequestKind, SessionShape } from '../words.ts'
import type { NoticeFact } from './types.ts'

type ByCode<T extends { code: string }> = { [K in T['code']]: Extract<T, { code: K }> }
type Each<T extends string> = Record<T, true>
const keys = <T extends string>(record: Each<T>): T[] => Object.keys(record) as T[] // Object.keys forgets the key type

export const finishes = keys<FinishKind>({
  stop: true,
  'tool-calls': true,
  length: true,
  'content-filter': true,
  refusal: true,
  'pause-turn': true,
  incomplete: true,
  error: true,
  'broken-off': true,
})
export const kinds = keys<RequestKind>({
  turn: true,
  subagent: true,
  title: true,
  compaction: true,
  count: true,
  probe: true,
  aside: true,
})
export const shapes = keys<SessionShape>({
  working: true,
  needs: true,
  held: true,
  idle: true,
  done: true,
  failed: true,
  paused: true,
  gone: true,
})
export const outboxes = keys<OutboxState>({
  queued: true,
  typing: true,
  submitted: true,
  confirmed: true,
  unknown: true,
  failed: true,
  cancelled: true,
  superseded: true,
  expired: true,
})
export const sources = keys<FollowupSource>({
  stopMessage: true,
  clock: true,
  continue_execution: true,
  recover: true,
  revive: true,
  user: true,
  program: true,
})
export const clearers = keys<ClearedBy>({
  marker: true,
  user: true,
  'rounds-used': true,
  failure: true,
  'terminal-gone': true,
  orphaned: true,
  'goal-reached': true,
})
export const budgets = keys<BudgetKind>({ rounds: true, time: true, 'no-progress': true, tokens: true, cost: true })
export const checks = keys<DecisionStep['check']>({
  'not-reentered': true,
  'is-turn': true,
  'not-paused': true,
  'has-scope': true,
  'stage-mode': true,
  armed: true,
  'rounds-free': true,
  'terminal-alive': true,
  'plain-stop': true,
  'client-stayed': true,
  'budget-free': true,
  'agent-finished': true,
  'current-conversation': true,
  'no-entry-pending': true,
  'below-limit': true,
  'background-over': true,
})
export const noticeKinds = keys<NoticeKind>({
  'goal-reached': true,
  'needs-you': true,
  'injection-failed': true,
  'held-long': true,
  budget: true,
  limit: true,
  'alarm-due': true,
  'alarm-missed': true,
  'proxy-error': true,
  'quiet-over': true,
})

export const needs = [
  'calls-elsewhere',
  'permission',
  'permission: docker compose up',
  'permission to run a command',
  ...(['edit', 'write', 'fetch', 'access', 'use'] as const).map((act) => permissionTo(act, 'src/x.ts')),
  'question',
  'a question',
  'question: keep the old state bucket or move it?',
  'blocker',
  'blocker: no licence key',
  'which of the two?',
  '',
]

const holdByCode: ByCode<HoldReason> = {
  'response-running': { code: 'response-running' },
  settling: { code: 'settling' },
  'shell-in-front': { code: 'shell-in-front', program: 'zsh' },
  'foreground-unknown': { code: 'foreground-unknown' },
  'agent-busy': { code: 'agent-busy' },
  'dialog-open': { code: 'dialog-open', what: 'permission: rm -rf build' },
  typing: { code: 'typing' },
  draft: { code: 'draft' },
  'enter-ignored': { code: 'enter-ignored' },
  'not-drawn': { code: 'not-drawn' },
  'screen-unknown': { code: 'screen-unknown' },
  'screen-unread': { code: 'screen-unread' },
  'copy-mode': { code: 'copy-mode' },
  'tmux-mode': { code: 'tmux-mode', mode: 'clock-mode' },
  'other-conversation': { code: 'other-conversation' },
  paused: { code: 'paused', by: 'session' },
  behind: { code: 'behind', entryId: 'e1' },
  'near-limit': {
    code: 'near-limit',
    provider: 'anthropic',
    window: '5h',
    usedPercent: 92.4,
    at: 3_600_000,
    until: 6_600_000,
  },
  'terminal-offline': { code: 'terminal-offline' },
  'store-failed': { code: 'store-failed', message: 'ENOSPC' },
}
export const holds: HoldReason[] = [
  ...Object.values(holdByCode),
  ...(['blank', 'menu', 'question', 'shell-prompt', 'cursor', 'text'] as const).map(
    (seen) => ({ code: 'screen-unknown', seen }) as const,
  ),
  { code: 'screen-unknown', seen: 'sign', sign: '*' },
  ...['view-mode', 'tree-mode', 'options-mode', 'buffer-mode', 'client-mode', 'another-mode'].map(
    (mode) => ({ code: 'tmux-mode', mode }) as const,
  ),
  { code: 'dialog-open' },
  { code: 'other-conversation', unseen: true },
  { code: 'paused', by: 'global' },
]

const skipByCode: ByCode<SkipReason> = {
  'reentered-followup': { code: 'reentered-followup' },
  'not-a-turn': { code: 'not-a-turn', kind: 'compaction' },
  paused: { code: 'paused', by: 'global' },
  'no-scope': { code: 'no-scope' },
  'stage-mode-off': { code: 'stage-mode-off' },
  'nothing-armed': { code: 'nothing-armed' },
  'rounds-used': { code: 'rounds-used', used: 3, max: 3 },
  'terminal-gone': { code: 'terminal-gone', why: 'pane closed' },
  'not-a-plain-stop': { code: 'not-a-plain-stop', finish: 'tool-calls' },
  'client-left': { code: 'client-left' },
  budget: { code: 'budget', budget: 'no-progress', limit: 5 },
  'agent-not-finished': { code: 'agent-not-finished', why: 'own-goal' },
  'entry-pending': { code: 'entry-pending', entryId: 'e1' },
  'review-running': { code: 'review-running' },
  'other-conversation': { code: 'other-conversation' },
  'near-limit': {
    code: 'near-limit',
    provider: 'anthropic',
    window: '5h',
    usedPercent: 92.4,
    at: 3_600_000,
    until: 6_600_000,
  },
  'background-work': {
    code: 'background-work',
    kind: 'command',
    what: 'npm run dev',
    since: 0,
    until: 600_000,
    more: 0,
  },
}
const backgroundKinds = keys<BackgroundWait['kind']>({ command: true, monitor: true, agent: true, other: true })
const backgroundWaits = backgroundKinds.flatMap((kind): BackgroundWait[] => [
  { kind, what: 'look around', since: 0, until: 600_000, more: 2 },
  { kind, what: null, since: 0, until: 600_000, more: 0 },
])
export const skips: SkipReason[] = [
  ...Object.values(skipByCode),
  { code: 'paused', by: 'session' },
  ...kinds.map((kind): SkipReason => ({ code: 'not-a-turn', kind })),
  ...finishes.map((finish): SkipReason => ({ code: 'not-a-plain-stop', finish })),
  ...budgets.map((budget): SkipReason => ({ code: 'budget', budget, limit: 8 })),
  ...keys<Extract<SkipReason, { code: 'agent-not-finished' }>['why']>({
    'own-goal': true,
    'own-loop': true,
    'own-schedule': true,
  }).map((why): SkipReason => ({ code: 'agent-not-finished', why })),
  ...backgroundWaits.map((wait): SkipReason => ({ code: 'background-work', ...wait })),
]

const failByCode: ByCode<FailReason> = {
  'terminal-gone': { code: 'terminal-gone', why: 'pane closed' },
  'agent-gone': { code: 'agent-gone' },
  'not-submitted': { code: 'not-submitted' },
  'not-received': { code: 'not-received' },
  'other-conversation': { code: 'other-conversation' },
  'dialog-took-text': { code: 'dialog-took-text' },
  'typing-failed': { code: 'typing-failed', message: 'EIO' },
  'unknown-after-crash': { code: 'unknown-after-crash' },
  'store-failed': { code: 'store-failed', message: 'ENOSPC' },
  'terminal-refused': { code: 'terminal-refused', message: 'read-only' },
}
export const fails: FailReason[] = [
  ...Object.values(failByCode),
  { code: 'terminal-gone', why: '' },
  { code: 'terminal-gone', why: 'never again' },
  { code: 'terminal-gone', why: 'signal 9' },
]

const pauseByCode: ByCode<PauseReason> = {
  'by-user': { code: 'by-user' },
  'not-received': { code: 'not-received' },
  'not-submitted': { code: 'not-submitted' },
  budget: { code: 'budget', budget: 'no-progress', limit: 5 },
  'needs-user': { code: 'needs-user', text: 'which bucket?' },
  'checks-unapproved': { code: 'checks-unapproved', names: ['tests'] },
  'review-failed': { code: 'review-failed', times: 3, why: 'no model answers' },
}
export const pauses: PauseReason[] = [
  ...Object.values(pauseByCode),
  ...budgets.map((budget): PauseReason => ({ code: 'budget', budget, limit: 8 })),
  { code: 'budget', budget: 'time', limit: 8, goesOnAt: 1_700_000_000_000 },
]

const doneByCode: ByCode<DoneReason> = {
  'rounds-used': { code: 'rounds-used', used: 10, max: 10 },
  'goal-reached': { code: 'goal-reached' },
  'no-open-work': { code: 'no-open-work' },
}
export const dones: DoneReason[] = [
  ...Object.values(doneByCode),
  { code: 'rounds-used', used: 1, max: 1 },
  { code: 'goal-reached', checks: 3, evidence: 'PR.md stands' },
  { code: 'goal-reached', checks: 1 },
  { code: 'goal-reached', checks: 0, evidence: 'PR.md stands' },
  { code: 'goal-reached', checks: 0 },
]

const sayByCode: ByCode<SessionSay> = {
  working: { code: 'working', turn: 42, since: 0 },
  'needs-you': { code: 'needs-you', what: 'permission' },
  held: { code: 'held', reason: { code: 'draft' } },
  queued: { code: 'queued' },
  'awaiting-receipt': { code: 'awaiting-receipt' },
  reviewing: { code: 'reviewing', round: 3, since: 0 },
  paused: { code: 'paused', reason: { code: 'by-user' }, waiting: 2 },
  done: { code: 'done', reason: { code: 'goal-reached' } },
  failed: { code: 'failed', reason: { code: 'agent-gone' } },
  armed: { code: 'armed' },
  'background-work': {
    code: 'background-work',
    kind: 'command',
    what: 'npm run dev',
    since: 0,
    until: 600_000,
    more: 0,
  },
  limited: { code: 'limited', provider: 'anthropic', since: 0, lifts: 6_600_000, resumeAt: 6_605_000 },
  idle: { code: 'idle' },
  gone: { code: 'gone' },
  left: { code: 'left' },
  retrying: { code: 'retrying', provider: 'zai', status: 529, message: 'Overloaded.', tries: 3, since: 0, tried: [] },
  stalled: { code: 'stalled', since: 0 },
  'turn-failed': {
    code: 'turn-failed',
    provider: 'zai',
    status: 529,
    message: 'Overloaded.',
    since: 0,
    tries: 1,
    tried: [],
  },
  'left-goal': { code: 'left-goal', text: 'all green' },
}
export const says: SessionSay[] = [
  ...Object.values(sayByCode),
  ...backgroundWaits.map((wait): SessionSay => ({ code: 'background-work', ...wait })),
  { code: 'idle', but: 'marker-held' },
  { code: 'idle', but: 'armed-elsewhere' },
  { code: 'limited', provider: 'zai', since: 0, lifts: null, resumeAt: null },
  { code: 'retrying', provider: null, status: 502, message: '', tries: 1, since: 0, tried: [] },
  { code: 'gone', quit: true },
  ...reviveRests.map((rests) => ({ code: 'gone', rests }) as const),
  { code: 'turn-failed', provider: 'zai', status: 200, message: '', since: 0, tries: 2, tried: [] },
  {
    code: 'turn-failed',
    provider: 'zai',
    status: 502,
    message: '',
    since: 0,
    tries: 2,
    tried: [{ provider: 'zai', model: 'glm-5', keyAlias: null, status: null, code: 'upstream-unreachable' }],
  },
  { code: 'limited', provider: 'zai', since: 0, lifts: 60_000, resumeAt: null },
  { code: 'paused', reason: { code: 'by-user' }, waiting: 0 },
  { code: 'paused', reason: { code: 'by-user' }, waiting: 1 },
  ...[0, 1].map((waiting): SessionSay => ({
    code: 'paused',
    reason: { code: 'by-user' },
    waiting,
    failure: { provider: 'zai', status: 529, message: '', since: 0, tries: 2, tried: [] },
  })),
  { code: 'turn-failed', provider: 'zai', status: 529, message: '', since: 0, tries: 2, tried: [], waiting: 2 },
  ...[
    { targets: ['zai.glm-5'], tryAt: null, tries: 0 },
    { targets: ['zai.glm-5', 'kimi.k2'], tryAt: null, tries: 1 },
    { targets: [], tryAt: 60_000, tries: 1 },
    { targets: [], tryAt: null, tries: 1 },
  ].map((goesOn): SessionSay => ({
    code: 'turn-failed',
    provider: 'zai',
    status: 529,
    message: '',
    since: 0,
    tries: 2,
    tried: [],
    goesOn,
  })),
  ...[6_600_000, null].map((lifts): SessionSay => ({
    code: 'turn-failed',
    provider: 'zai',
    status: 429,
    message: '',
    since: 0,
    tries: 2,
    tried: [],
    limit: { provider: 'zai', lifts },
  })),
  ...needs.map((what): SessionSay => ({ code: 'needs-you', what })),
  {
    code: 'needs-you',
    what: 'permission: npm ci',
    asked: {
      question: 'Run it?',
      about: '$ npm ci',
      choices: [
        { label: 'Yes, proceed (y)', key: '1' },
        { label: 'No', key: '2' },
      ],
    },
  },
  ...holds.map((reason): SessionSay => ({ code: 'held', reason })),
]

export const notices: NoticeFact[] = Object.values({
  'goal-reached': { class: 'goal-reached', name: 'billing', reason: { code: 'goal-reached' } },
  'needs-you': { class: 'needs-you', name: 'billing', what: 'permission: ls' },
  'injection-failed': { class: 'injection-failed', name: 'billing', reason: { code: 'agent-gone' } },
  'held-long': { class: 'held-long', name: 'billing', reason: { code: 'draft' }, heldMs: 600_000 },
  budget: { class: 'budget', name: 'billing', budget: 'time', limit: 8 },
  limit: { class: 'limit', provider: 'zai', change: 'reached', liftsAt: 0 },
  'alarm-due': { class: 'alarm-due', name: 'billing', at: 0, message: 'run it', more: 0 },
  'alarm-missed': { class: 'alarm-missed', name: 'billing', at: 0, message: 'run it', more: 0 },
  'proxy-error': { class: 'proxy-error', message: 'Port 5520 is taken' },
  'quiet-over': { class: 'quiet-over', count: 1, classes: ['limit'], needs: [] },
} satisfies { [K in NoticeKind]: Extract<NoticeFact, { class: K }> }).flatMap((fact) =>
  'more' in fact ? [fact, { ...fact, more: 2 }] : [fact],
)
notices.push(
  { class: 'needs-you', name: 'billing', what: 'permission: npm ci', choices: ['Yes, proceed (y)', 'No'] },
  { class: 'quiet-over', count: 3, classes: ['needs-you', 'limit'], needs: ['billing'] },
  { class: 'quiet-over', count: 9, classes: ['needs-you'], needs: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
  { class: 'needs-you', name: 'billing', what: '', leftGoal: 'all green' },
  { class: 'needs-you', name: 'billing', what: '', leftGoal: null },
  ...[null, 'zai'].map((provider): NoticeFact => ({
    class: 'needs-you',
    name: 'billing',
    what: '',
    failure: { provider, status: 503, message: '', since: 0, tries: 2, tried: [] },
  })),
)

const run: CheckRun = {
  name: 'tests',
  argv: ['npm', 'test'],
  outcome: 'failed',
  exitCode: 1,
  at: 0,
  ms: 8_200,
  say: '2 of 214 fail',
}
const review: ReviewView = {
  round: 12,
  at: 0,
  ms: 38_000,
  by: 'zai/glm-5',
  backend: 'model',
  outcome: { code: 'checks-failed', names: ['tests'] },
  say: 'Two refund tests fail',
  evidence: [{ claim: 'refunds round up', source: 'check:tests', result: '2 of 214 fail' }],
  blockers: [],
  looks: [{ tool: 'run_check', what: 'tests', ok: true, say: '2 of 214 fail' }],
  checks: [run],
  usage: null,
  costUsd: null,
}
export const checkRuns = keys<CheckRun['outcome']>({
  passed: true,
  failed: true,
  'timed-out': true,
  'not-started': true,
  stopped: true,
}).map((outcome): CheckRun => ({ ...run, outcome }))
const outcomeByCode: ByCode<ReviewOutcome> = {
  'not-reached': { code: 'not-reached' },
  reached: { code: 'reached', checks: 3 },
  'reached-unchecked': { code: 'reached-unchecked' },
  'checks-failed': { code: 'checks-failed', names: ['tests'] },
  'checks-unapproved': { code: 'checks-unapproved', names: ['tests'] },
  'needs-user': { code: 'needs-user', text: 'which bucket?' },
  failed: { code: 'failed', why: 'no model answers', inARow: 1 },
  discarded: { code: 'discarded' },
}
export const reviews: ReviewView[] = [
  ...Object.values(outcomeByCode),
  { code: 'reached', checks: 1 } as const,
  { code: 'checks-failed', names: ['tests', 'lint', 'types', 'build', 'docs'] } as const,
].map((outcome): ReviewView => ({ ...review, outcome }))

const route = { provider: 'zai', model: 'glm-5', keyAlias: 'main', category: 'default' as const, why: [], skipped: [] }
const eventByType: { [K in EventType]: Extract<EventBody, { type: K }> } = {
  'turn-started': {
    type: 'turn-started',
    client: 'claude',
    entry: 'messages',
    kind: 'turn',
    model: 'sonnet',
    retry: false,
  },
  'turn-ended': {
    type: 'turn-ended',
    turn: 41,
    kind: 'turn',
    finish: 'stop',
    status: 200,
    usage: null,
    ttfbMs: 900,
    durationMs: 8200,
    route,
    tools: [],
    clientLeft: false,
  },
  'marker-applied': { type: 'marker-applied', marker: '<**sm:on**>', effect: 'goal set' },
  'marker-held': { type: 'marker-held', marker: '<**sm:"ship it"**>', why: 'in-paste', offered: 'm1' },
  'marker-forgotten': { type: 'marker-forgotten', marker: '<**sm:"ship it"**>' },
  'marker-refused': { type: 'marker-refused', marker: '<**sm:0**>', code: 'bad-rounds', message: 'rounds start at 1' },
  armed: { type: 'armed', text: 'all green', max: 30, review: true, by: 'user' },
  'goal-left': { type: 'goal-left', from: 's0', text: 'all green', used: 3, max: 30 },
  'goal-carried-on': { type: 'goal-carried-on', from: 's0', text: 'all green', used: 3, max: 30 },
  'stop-message-edited': { type: 'stop-message-edited', text: 'all green', max: 30, review: true },
  'review-started': { type: 'review-started', round: 12, backend: 'model' },
  'review-done': { type: 'review-done', review },
  'check-ran': { type: 'check-ran', run },
  'check-approved': { type: 'check-approved', name: 'tests', argv: ['npm', 'test'], folder: '/code/billing' },
  'check-forgotten': { type: 'check-forgotten', name: 'tests', folder: '/code/billing' },
  matched: { type: 'matched', steps: [], used: 11, max: 30 },
  skipped: { type: 'skipped', reason: { code: 'nothing-armed' }, steps: [] },
  queued: { type: 'queued', entryId: 'e1', source: 'stopMessage', text: 'go on', round: 12 },
  'mentions-escaped': { type: 'mentions-escaped', entryId: 'e1' },
  edited: { type: 'edited', entryId: 'e1', text: 'go on', revision: 2 },
  held: { type: 'held', entryId: 'e1', reason: { code: 'draft' } },
  typed: { type: 'typed', entryId: 'e1' },
  submitted: { type: 'submitted', entryId: 'e1', extraEnter: false },
  confirmed: { type: 'confirmed', entryId: 'e1', late: false, afterMs: 1400 },
  failed: { type: 'failed', entryId: 'e1', source: 'stopMessage', reason: { code: 'agent-gone' } },
  unknown: { type: 'unknown', entryId: 'e1' },
  'text-removed': { type: 'text-removed', entryId: 'e1', by: 'person' },
  superseded: { type: 'superseded', entryId: 'e1', by: 'new-turn' },
  cancelled: { type: 'cancelled', entryId: 'e1', by: 'user' },
  expired: { type: 'expired', entryId: 'e1' },
  used: { type: 'used', used: 12, max: 30 },
  paused: { type: 'paused', reason: { code: 'by-user' }, what: 'session' },
  resumed: { type: 'resumed', what: 'session' },
  done: { type: 'done', reason: { code: 'goal-reached' } },
  'stop-message-failed': { type: 'stop-message-failed', reason: { code: 'agent-gone' }, text: 'go on' },
  cleared: { type: 'cleared', by: 'user' },
  rebound: { type: 'rebound', from: 'tmux:a', to: 'tmux:b' },
  'terminal-opened': { type: 'terminal-opened', terminalId: 'pty:3', client: 'claude' },
  'terminal-closed': { type: 'terminal-closed', terminalId: 'pty:3', exitCode: 0, why: 'exit' },
  'needs-you': { type: 'needs-you', what: 'permission: ls' },
  stalled: { type: 'stalled', since: 0 },
  over: { type: 'over', what: 'question' },
  'dialog-answered': { type: 'dialog-answered', what: 'permission: npm ci', choice: 'Yes', key: '1', closedMs: 300 },
  notified: { type: 'notified', class: 'needs-you', result: 'shown' },
  'provider-resting': {
    type: 'provider-resting',
    provider: 'qwen',
    key: null,
    rest: { why: 'failures', count: 3, until: 42_000 },
  },
  'provider-back': { type: 'provider-back', provider: 'qwen', key: 'main' },
  'outage-set': { type: 'outage-set', failed: ['anthropic.claude-sonnet'], tell: true, standIn: 'zai.glm-5' },
  'outage-over': {
    type: 'outage-over',
    target: 'anthropic.claude-sonnet',
    failed: ['anthropic.claude-sonnet'],
    standIn: 'zai.glm-5',
  },
  'limit-reached': { type: 'limit-reached', provider: 'anthropic', lifts: 6_600_000, resumeAt: 6_605_000 },
  'resume-set': { type: 'resume-set', at: 6_605_000 },
  'resume-cancelled': { type: 'resume-cancelled', why: 'went-on' },
  'resume-failed': { type: 'resume-failed', message: 'the pane is gone' },
  'recover-waits': { type: 'recover-waits', targets: ['zai.glm-5'], trialAt: null },
  'recover-ended': { type: 'recover-ended', why: 'went-on' },
  revived: { type: 'revived', exitCode: null, signal: 'SIGKILL', times: 2 },
  'revive-refused': { type: 'revive-refused', why: 'too-often' },
  'servertool-called': { type: 'servertool-called', tool: 'web_fetch', round: 1 },
  'servertool-ran': {
    type: 'servertool-ran',
    tool: 'web_fetch',
    round: 1,
    ms: 812,
    bytes: 18_240,
    note: 'docs.example.org',
  },
  'servertool-failed': {
    type: 'servertool-failed',
    tool: 'web_fetch',
    round: 1,
    ms: 15_000,
    code: 'timed-out',
    message: 'The page did not answer within 15 s.',
  },
  'servertool-round': { type: 'servertool-round', round: 2, tools: ['clock', 'web_fetch'] },
  'servertool-stripped': { type: 'servertool-stripped', tools: ['clock'], why: 'depth' },
  'servertool-reacted': {
    type: 'servertool-reacted',
    tool: 'vision_auto',
    ms: 2_300,
    note: '2 images described by gemini-3-flash',
  },
  'alarm-set': { type: 'alarm-set', taskIds: ['t1'], by: 'model', earliest: 6_600_000 },
  'alarm-changed': { type: 'alarm-changed', taskId: 't1', by: 'user', dueAt: 6_600_000 },
  'alarm-cancelled': { type: 'alarm-cancelled', taskIds: ['t1'], by: 'marker' },
  'alarm-rang': { type: 'alarm-rang', taskIds: ['t1'], dueAt: 6_600_000 },
  'alarm-claimed': { type: 'alarm-claimed', taskIds: ['t1'], route: 'terminal' },
  'alarm-delivered': { type: 'alarm-delivered', taskIds: ['t1', 't2'], route: 'request', deliveryCount: 1 },
  'alarm-released': { type: 'alarm-released', taskIds: ['t1'], route: 'request', why: 'upstream-failed' },
  'alarm-missed': { type: 'alarm-missed', taskIds: ['t1'], why: 'expired' },
  'alarm-settled': { type: 'alarm-settled', taskIds: ['t1'], how: 'dismissed' },
  'hold-started': { type: 'hold-started', dueAt: 6_600_000 },
  'hold-ended': { type: 'hold-ended', why: 'due', ms: 31_000 },
  engine: { type: 'engine', did: 'started' },
  'time-sync': { type: 'time-sync', sync: { status: 'synced', offsetMs: 12, at: 0, lastError: null } },
  'store-problem': { type: 'store-problem', file: 'outbox.json', code: 'ENOSPC', message: 'the disk is full' },
  'config-problem': { type: 'config-problem', message: 'routes.default names no provider' },
  'engine-problem': { type: 'engine-problem', code: 'port', message: 'Port 5520 is taken' },
}
export const bodies: EventBody[] = [
  ...reviews.map((one): EventBody => ({ type: 'review-done', review: one })),
  ...checkRuns.map((one): EventBody => ({ type: 'check-ran', run: one })),
  ...Object.values(eventByType),
  ...finishes.flatMap((finish) => kinds.map((kind): EventBody => ({ ...eventByType['turn-ended'], finish, kind }))),
  { ...eventByType['turn-ended'], clientLeft: true },
  { ...eventByType['turn-ended'], turn: null, finish: 'error', error: { code: 'x', message: 'no route' } },
  { ...eventByType['turn-started'], retry: true },
  { ...eventByType.armed, by: 'marker', review: false, max: null },
  { ...eventByType.armed, by: 're-arm', max: 1 },
  { ...eventByType.matched, max: null },
  ...sources.map((source): EventBody => ({ ...eventByType.queued, source, round: null })),
  { ...eventByType.submitted, extraEnter: true },
  { ...eventByType.confirmed, late: true },
  ...(['re-arm', 'clear', 'other-way'] as const).map((by): EventBody => ({ ...eventByType.superseded, by })),
  ...(['clear', 'pause'] as const).map((by): EventBody => ({ ...eventByType.cancelled, by })),
  { ...eventByType.used, max: null },
  { ...eventByType.paused, what: 'all' },
  { ...eventByType.resumed, what: 'all' },
  ...clearers.map((by): EventBody => ({ type: 'cleared', by })),
  ...dones.map((reason): EventBody => ({ type: 'done', reason })),
  ...skips.map((reason): EventBody => ({ type: 'skipped', reason, steps: [] })),
  ...fails.map((reason): EventBody => ({ ...eventByType.failed, reason })),
  ...holds.map((reason): EventBody => ({ ...eventByType.held, reason })),
  ...pauses.map((reason): EventBody => ({ ...eventByType.paused, reason })),
  ...(['alarm-set', 'alarm-cancelled', 'alarm-rang', 'alarm-claimed', 'alarm-missed', 'alarm-released'] as const).map(
    (type): EventBody => ({ ...eventByType[type], taskIds: ['t1', 't2', 't3'] }),
  ),
  ...(['user', 'marker'] as const).map((by): EventBody => ({ ...eventByType['alarm-set'], by })),
  ...(['request', 'hold'] as const).map((route): EventBody => ({ ...eventByType['alarm-claimed'], route })),
  ...(['client-left', 'taken-back', 'not-typed'] as const).map((why): EventBody => ({
    ...eventByType['alarm-released'],
    why,
  })),
  ...(['failed', 'unknown'] as const).map((why): EventBody => ({ ...eventByType['alarm-missed'], why })),
  ...(['delivered-late', 'dismissed', 'rescheduled'] as const).map((how): EventBody => ({
    ...eventByType['alarm-settled'],
    how,
    taskIds: ['t1', 't2'],
  })),
  ...(['client-left', 'gone', 'paused', 'failed'] as const).map((why): EventBody => ({
    ...eventByType['hold-ended'],
    why,
  })),
  ...(
    [
      { status: 'synced', offsetMs: -93_000, at: 0, lastError: null },
      { status: 'stale', offsetMs: 0, at: 0, lastError: 'no answer' },
      { status: 'error', offsetMs: 0, at: null, lastError: 'no answer' },
      { status: 'error', offsetMs: 0, at: null, lastError: null },
      { status: 'disabled', offsetMs: 0, at: null, lastError: null },
    ] as const
  ).map((sync): EventBody => ({ type: 'time-sync', sync })),
  { type: 'engine', did: 'stopped' },
  ...(['stall', 'tools'] as const).map((what): EventBody => ({ type: 'over', what })),
  { ...eventByType['terminal-closed'], exitCode: null, why: '' },
  { type: 'dialog-answered', what: 'dialog', choice: 'Allow once', key: null, closedMs: null },
  {
    ...eventByType['turn-ended'],
    finish: 'error',
    error: { code: 'upstream-unreachable', message: 'No provider could answer. Tried: zai: upstream-unreachable.' },
    tried: [
      { provider: 'zai', model: 'glm-5', keyAlias: null, status: null, code: 'upstream-unreachable' },
      { provider: 'chat', model: 'm', keyAlias: 'main', status: 503, code: '503' },
    ],
  },
  ...(['suppressed', 'failed'] as const).map((result): EventBody => ({
    ...eventByType.notified,
    result,
    why: 'do not disturb',
  })),
  ...(['shown', 'suppressed', 'failed'] as const).map((result): EventBody => ({
    ...eventByType.notified,
    result,
    to: 'phone',
    ...(result === 'shown' ? {} : { why: 'no answer' }),
  })),
]

export const outsideFailures: OutsideFailure[] = [
  { code: 'no-address', why: 'there is no stored secret “phone”' },
  { code: 'unreachable' },
  { code: 'timeout' },
  { code: 'ended' },
  ...[301, 400, 401, 404, 418, 429, 503].map((status): OutsideFailure => ({ code: 'answered', status, said: null })),
  { code: 'answered', status: 403, said: 'invalid_token' },
]
export const outsideStates: OutsideState[] = [
  { kind: 'unused' },
  { kind: 'sent', at: 0 },
  { kind: 'retrying', since: 0, tries: 2, next: 60_000, why: { code: 'timeout' } },
  { kind: 'failed', at: 0, why: { code: 'unreachable' } },
]
