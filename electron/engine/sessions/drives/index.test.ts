import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { clientKinds, type ClientKind } from '../../../../shared/words.ts'
import { personTexts } from '../identify/person-text.ts'
import { comesEachHour } from './cron.ts'
import { drivenBy, goesOnAtReset } from './index.ts'
import type { Drive } from './profiles.ts'
import type { DriveStep } from './reduce.ts'

const said = (...texts: string[]): DriveStep => ({ type: 'message', texts })
const call = (name: string, args: unknown, result: string | null): DriveStep => ({
  type: 'call',
  name,
  arguments: JSON.stringify(args),
  result,
})

// Shapes of requests of unmodified clients, recorded against a scripted upstream; texts shortened to what tells.
const goal = (status: string) =>
  JSON.stringify({
    goal: { threadId: 't', objective: 'say "status":"active" often', status, tokensUsed: 45 },
    remainingTokens: null,
    completionBudgetReport: null,
  })
const goesOn = said(
  '<codex_internal_context source="goal">\nContinue working toward the active thread goal.\n</codex_internal_context>',
)
const spent = said(
  '<codex_internal_context source="goal">\nThe active thread ' +
    'goal has reached its token budget.\n</codex_internal_context>',
)
const byUser = (what: string) => said(`<codex_internal_context source="user_goal">\n${what}\n</codex_internal_context>`)
const setByUser = byUser('User set the goal: "write the docs"\nUser set goal status: "active".')
const created = call('create_goal', { objective: 'Make the tests pass' }, goal('active'))

const codexRows: [string, DriveStep[], Drive | null][] = [
  [
    'no goal',
    [said('hello'), call('get_goal', {}, '{"goal":null,"remainingTokens":null,"completionBudgetReport":null}')],
    null,
  ],
  ['a goal made by the agent', [said('make a goal'), created], 'own-goal'],
  ['its next turn', [said('make a goal'), created, goesOn], 'own-goal'],
  ['a goal set in the UI', [said('hello'), setByUser, goesOn], 'own-goal'],
  [
    'completed',
    [said('make a goal'), created, goesOn, call('update_goal', { status: 'complete' }, goal('complete'))],
    null,
  ],
  [
    'blocked',
    [said('make a goal'), created, goesOn, call('update_goal', { status: 'blocked' }, goal('blocked'))],
    null,
  ],
  [
    'a refused update',
    [
      said('make a goal'),
      created,
      call('update_goal', { status: 'active' }, 'update_goal can only mark the existing goal complete'),
    ],
    'own-goal',
  ],
  ['paused in the UI', [setByUser, goesOn, byUser('User set goal status: "paused".'), said('hello again')], null],
  ['cleared, nobody spoke since', [said('x'), setByUser, goesOn, byUser('User cleared the goal.')], null],
  ['cleared and set again', [setByUser, goesOn, byUser('User cleared the goal.'), setByUser, goesOn], 'own-goal'],
  ['its budget is spent', [said('make a goal'), created, goesOn, spent], null],
  [
    'a person spoke since, and nothing shows it goes on',
    [said('make a goal'), created, goesOn, said('stop, do something else')],
    null,
  ],
  ['... and it goes on', [said('make a goal'), created, goesOn, said('use pnpm'), goesOn], 'own-goal'],
  [
    'a goal of the first releases',
    [said('x'), said('<goal_context>\nContinue working toward the active thread goal.')],
    'own-goal',
  ],
  ['an automation', [said('<heartbeat>\n  <automation_id>nightly</automation_id>\n</heartbeat>')], 'own-schedule'],
  [
    'a person after an automation',
    [said('<heartbeat>\n  <automation_id>nightly</automation_id>\n</heartbeat>'), said('and now this')],
    null,
  ],
  ['words of another client', [said('x'), said('A session-scoped Stop hook is now active with condition: "x".')], null],
]

const goalSet = said(
  '<command-name>/goal</command-name>\n <command-message>goal</command-message>',
  '<local-command-stdout>Goal set: the tests pass</local-command-stdout>',
  'A session-scoped Stop hook is now active with condition: "the tests pass". Briefly …',
)
const feedback = said('Stop hook feedback:\n[the tests pass]: two tests still fail')
const wakeup = call(
  'ScheduleWakeup',
  { delaySeconds: 60, reason: 'build', prompt: '/loop look at the build' },
  'Next wakeup scheduled for 14:55:00 (in 70s). If you owe the user …',
)
const loopCommand = said(
  '<command-message>loop</command-message>\n<command-name>/loop</command-name>\n' +
    '<command-args>look at the build</command-args>\n',
  '# /loop — schedule a recurring or self-paced prompt',
)
const stopped = call(
  'ScheduleWakeup',
  { stop: true },
  'Loop stopped — cancelled 1 pending wakeup(s); no further dynamic-loop wakeups scheduled.',
)
const cron = (every: string, prompt = 'check the deploy') =>
  call(
    'CronCreate',
    { cron: every, prompt, recurring: true },
    'Scheduled recurring job c28d41ae (Every minute). Next run: Nov 22 ' +
      '2:52pm. Session-only (not written to disk, dies when Claude exits).',
  )
const cronOnce = call(
  'CronCreate',
  { cron: '30 14 22 11 *', prompt: 'check the deploy', recurring: false },
  'Scheduled one-shot task c28d41ae (Nov 22 2:30pm). It will fire once then auto-delete.',
)
const deleted = (id: string) => call('CronDelete', { id }, `Cancelled job ${id}.`)

const goalIsSet = 'The goal is set, without an approval dialog. The user can see it and can clear it with /goal …'
const afterReset =
  'Your claude.ai usage limit has reset. Continue the task you were working on when the limit was reached; do not ' +
  'repeat work that is already complete.'

const claudeRows: [string, DriveStep[], Drive | null][] = [
  ['a goal just set', [said('hello'), goalSet], 'own-goal'],
  ['it is not met yet', [goalSet, feedback, feedback], 'own-goal'],
  ['a person spoke after it was met', [goalSet, feedback, said('now the docs')], null],
  ['a person spoke while it is at work', [goalSet, said('use pnpm'), feedback], 'own-goal'],
  [
    'cleared',
    [goalSet, feedback, said('<local-command-stdout>Goal cleared: the tests pass</local-command-stdout>')],
    null,
  ],
  ['feedback of a hook of one’s own', [said('hello'), said('Stop hook feedback:\n[node lint.js]: 2 errors')], null],
  ['a goal the model set', [said('finish it'), call('SetGoal', { ask_user: false }, goalIsSet)], 'own-goal'],
  ['one it proposed, and the person agreed', [said('finish it'), said('Goal set: the tests pass')], 'own-goal'],
  [
    'paused by the model',
    [said('finish it'), call('SetGoal', {}, goalIsSet), call('PauseGoal', {}, 'The goal is paused. The stop check …')],
    null,
  ],
  ['it goes on after a limit', [said('finish it'), said(afterReset)], null],
  ['a loop that paces itself', [loopCommand, wakeup], 'own-loop'],
  ['woken, and not armed again', [loopCommand, wakeup, loopCommand], null],
  ['woken, and armed again', [loopCommand, wakeup, loopCommand, wakeup], 'own-loop'],
  [
    'woken by a task first',
    [loopCommand, wakeup, said('<task-notification>\n<task-id>1</task-id></task-notification>')],
    'own-loop',
  ],
  ['stopped', [loopCommand, wakeup, loopCommand, stopped], null],
  [
    'too long',
    [loopCommand, call('ScheduleWakeup', {}, 'Wakeup not scheduled. The loop reached its maximum duration')],
    null,
  ],
  ['no answer yet', [loopCommand, call('ScheduleWakeup', {}, null)], null],
  ['a job each minute', [said('watch the deploy'), cron('*/1 * * * *')], 'own-schedule'],
  ['its turn', [said('watch the deploy'), cron('*/1 * * * *'), said('check the deploy')], 'own-schedule'],
  ['deleted', [said('watch'), cron('*/1 * * * *'), said('check the deploy'), deleted('c28d41ae')], null],
  ['another deleted', [said('watch'), cron('*/1 * * * *'), deleted('00000000')], 'own-schedule'],
  [
    'a person spoke since: the program may have been started again',
    [said('watch'), cron('*/1 * * * *'), said('something else')],
    null,
  ],
  [
    '... and it comes again',
    [said('watch'), cron('*/1 * * * *'), said('something else'), said('check the deploy')],
    'own-schedule',
  ],
  ['a daily job', [said('each morning'), cron('3 9 * * *')], null],
  [
    'a turn begun by a daily job',
    [said('each morning'), cron('3 9 * * *'), said('check the deploy'), call('Bash', {}, 'ok')],
    'own-schedule',
  ],
  [
    '... with a reminder beside a result',
    [
      said('each morning'),
      cron('3 9 * * *'),
      said('check the deploy'),
      call('Bash', {}, 'ok'),
      said('<system-reminder>\nx\n</system-reminder>'),
    ],
    'own-schedule',
  ],
  ['the turn after it', [said('each morning'), cron('3 9 * * *'), said('check the deploy'), said('thanks')], null],
  ['a job of one time', [said('in ten minutes'), cronOnce], null],
  ['a turn begun by it, the last', [said('in ten minutes'), cronOnce, said('check the deploy')], null],
  ['refused', [said('watch'), call('CronCreate', { cron: '*/1 * * * *', prompt: 'x' }, 'Too many jobs')], null],
  [
    'arguments that are none',
    [
      said('watch'),
      { type: 'call', name: 'CronCreate', arguments: '{"cron":', result: 'Scheduled recurring job a (x).' },
    ],
    null,
  ],
]

const qwenGoal = said('Continue working on the active Goal.\nUse get_goal for the authoritative objective.')
const qwenCron = call(
  'cron_create',
  { cron: '*/1 * * * *', prompt: 'check the deploy' },
  'Scheduled recurring job 7cecjudg (*/1 * * * *). Session-only (not written to disk, dies when Qwen Code exits).',
)

const qwenRows: [string, DriveStep[], Drive | null][] = [
  ['a goal', [said('hello'), qwenGoal], 'own-goal'],
  [
    'its last turn',
    [
      said('hello'),
      qwenGoal,
      said(
        'Continue working on the active Goal.\nUse get_goal …\nThis is ' +
          'the final turn before the Goal stops and waits for the user',
      ),
    ],
    null,
  ],
  ['none', [said('hello'), call('get_goal', {}, '{"active":false}')], null],
  ['a job', [said('watch'), qwenCron, said('check the deploy')], 'own-schedule'],
  ['deleted', [said('watch'), qwenCron, call('cron_delete', { id: '7cecjudg' }, 'Cancelled job 7cecjudg.')], null],
  [
    'not deleted',
    [said('watch'), qwenCron, call('cron_delete', { id: '7cecjudg' }, 'Job 7cecjudg not found.')],
    'own-schedule',
  ],
  [
    'a loop',
    [
      said('/loop look'),
      call(
        'loop_wakeup',
        { delaySeconds: 60, prompt: '/loop look' },
        'Scheduled loop wakeup ab.\nScheduled for: x (in 60s).',
      ),
    ],
    'own-loop',
  ],
  [
    'a loop that ended',
    [
      said('/loop look'),
      call('loop_wakeup', { delaySeconds: 60, prompt: '/loop look' }, 'Scheduled loop wakeup ab.'),
      said('/loop look'),
    ],
    null,
  ],
]

const kimiGoal = said('Continue working toward the active goal. Keep the self-audit brief.')
const kimiRows: [string, DriveStep[], Drive | null][] = [
  ['a goal', [said('hello'), kimiGoal], 'own-goal'],
  ['reached', [said('hello'), kimiGoal, call('UpdateGoal', {}, 'Goal completed successfully.')], null],
  ['a timed prompt', [said('<cron-fire jobId="1">\n<prompt>\nlook\n</prompt>\n</cron-fire>')], 'own-schedule'],
]

describe('drivenBy', () => {
  it.each(codexRows)('codex, %s', (_, steps, drive) => {
    expect(drivenBy('codex', steps)).toBe(drive)
  })
  it.each(claudeRows)('claude, %s', (_, steps, drive) => {
    expect(drivenBy('claude', steps)).toBe(drive)
  })
  it.each(kimiRows)('kimi, %s', (_, steps, drive) => {
    expect(drivenBy('kimi', steps)).toBe(drive)
  })
  it.each(qwenRows)('qwen, %s', (_, steps, drive) => {
    expect(drivenBy('qwen', steps)).toBe(drive)
  })

  const all = [...codexRows, ...claudeRows, ...qwenRows, ...kimiRows].flatMap(([, steps]) => steps)
  const anySteps = fc.array(
    fc.oneof(
      fc.constantFrom(...all),
      fc.string().map((text) => said(text)),
      fc.tuple(fc.string(), fc.string()).map(([name, result]) => call(name, {}, result)),
    ),
    { maxLength: 30 },
  )
  const anyClient = fc.constantFrom<ClientKind>(...clientKinds)

  it('a person’s last words end every standing down', () => {
    fc.assert(
      fc.property(anyClient, anySteps, (client, steps) => {
        expect(drivenBy(client, [...steps, said('now something quite different')])).toBeNull()
      }),
      runs(100),
    )
  })
  it('nothing drives a client that has nothing of the kind', () => {
    fc.assert(
      fc.property(fc.constantFrom<ClientKind>('opencode', 'gemini', 'other'), anySteps, (client, steps) => {
        expect(drivenBy(client, steps)).toBeNull()
      }),
      runs(100),
    )
  })
})

describe('goesOnAtReset', () => {
  it('is Claude Code’s own text, and no person’s', () => {
    expect(goesOnAtReset('claude', [afterReset])).toBe(true)
    expect(goesOnAtReset('claude', ['go on'])).toBe(false)
    expect(goesOnAtReset('codex', [afterReset])).toBe(false)
    expect(personTexts('claude', [afterReset])).toEqual([''])
  })
})

describe('comesEachHour', () => {
  it.each<[string, boolean]>([
    ['*/1 * * * *', true],
    ['7 * * * *', true],
    ['*/10 */1 * * *', true],
    [' 0,30  * * * * ', true],
    ['0 */2 * * *', false],
    ['3 9 * * *', false],
    ['*/5 9-17 * * 1-5', false],
    ['*/5 * * * 1-5', false],
    ['* * * *', false],
    ['* * * * * *', false],
    ['', false],
    ['@hourly', false],
  ])('%j: %s', (cron, often) => {
    expect(comesEachHour(cron)).toBe(often)
  })
})
