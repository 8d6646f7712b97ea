import { describe, expect, it } from 'vitest'
import type { ClientKind } from '../../../shared/words.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createActivity, delegates, withSubagents, type NamedWork } from './activity.ts'
import { backgroundOf } from './drives/index.ts'
import type { DriveStep } from './drives/reduce.ts'

const s = 's1'

function setUp() {
  const clock = virtualClock()
  return { clock, activity: createActivity(clock, () => undefined) }
}

describe('a session', () => {
  it('works while its tools run, until the screen shows that the agent came to rest', () => {
    const { activity } = setUp()
    activity.begin(s, 'r1', 3)
    activity.atRest(s)
    expect(activity.of(s)).toMatchObject({ turn: 3 })
    activity.end(s, 'r1', 'tool-calls')
    expect(activity.of(s)).toMatchObject({ turn: 3 })
    activity.atRest(s)
    expect(activity.of(s)).toBeNull()
  })
})

describe('sub-agents of a session', () => {
  it('work while a request of theirs is under way, and are through after a plain stop', () => {
    const { activity } = setUp()
    activity.subagentBegin(s, 'r1')
    expect(activity.subagents(s)).toBe(true)
    activity.subagentEnd(s, 'r1', 'stop')
    expect(activity.subagents(s)).toBe(false)
  })

  it('work while one of them does, though another is through', () => {
    const { activity } = setUp()
    activity.subagentBegin(s, 'r1', 'a')
    activity.subagentEnd(s, 'r1', 'tool-calls', 'a')
    activity.subagentBegin(s, 'r2', 'b')
    activity.subagentEnd(s, 'r2', 'stop', 'b')
    expect(activity.subagents(s)).toBe(true)
    activity.subagentBegin(s, 'r3', 'a')
    activity.subagentEnd(s, 'r3', 'stop', 'a')
    expect(activity.subagents(s)).toBe(false)
  })

  it('are due once set to work, until one of them asks or the agent calls on', () => {
    const { activity } = setUp()
    const call = (request: string, delegates: boolean, meanwhile = () => undefined as void) => {
      activity.begin(s, request, 1)
      meanwhile()
      activity.end(s, request, 'tool-calls', delegates)
      return activity.subagentDue(s)
    }
    expect(call('r1', true)).toBe(true)
    expect(call('r2', false)).toBe(false)
    expect(call('r3', true, () => activity.subagentBegin(s, 'sub-1'))).toBe(false)
    expect(call('r4', true)).toBe(true)
    activity.subagentBegin(s, 'sub-2')
    expect(activity.subagentDue(s)).toBe(false)
  })

  it('work while they run tools, though not for ever', async () => {
    const { activity, clock } = setUp()
    activity.subagentBegin(s, 'r1')
    activity.subagentEnd(s, 'r1', 'tool-calls')
    expect(activity.subagents(s)).toBe(true)
    await clock.advance(10 * 60_000)
    expect(activity.subagents(s)).toBe(false)
  })

  it('are through after a last tool call where the main agent goes on that waits for them', () => {
    const { activity } = setUp()
    activity.subagentBegin(s, 'r1')
    activity.subagentEnd(s, 'r1', 'tool-calls')
    activity.subagentsOver(s)
    expect(activity.subagents(s)).toBe(false)
  })
})

const said = (...texts: string[]): DriveStep => ({ type: 'message', texts })
const between = (...texts: string[]): DriveStep => ({ type: 'system', texts })
const call = (name: string, args: unknown, result: string | null): DriveStep => ({
  type: 'call',
  name,
  arguments: JSON.stringify(args),
  result,
})

const command = (id: string, what: string | null): NamedWork => ({ id, kind: 'command', what })
const agent = (id: string, what: string | null): NamedWork => ({ id, kind: 'agent', what })

const shell = call(
  'Bash',
  { command: 'sleep 45;\n echo OK', run_in_background: true },
  'Command running in background with ID: bv38. Output is being written to: x. You will be notified',
)
const reminder = (text: string) =>
  `[SYSTEM NOTIFICATION - NOT USER INPUT]\nThis is an automated background-task event.\n\n${text}`
const ended = (id: string, status = 'completed') =>
  `<task-notification>\n<task-id>${id}</task-id>\n<tool-use-id>toolu_1</tool-use-id>\n` +
  `<output-file>/x/${id}.output</output-file>\n<status>${status}</status>\n<summary>x</summary>\n</task-notification>`
const monitor = call(
  'Monitor',
  { command: 'tail -f log', description: 'watch log' },
  'Monitor started (task bo3l, expires in 5m unless the source ends first). You will be notified on each event.',
)
const async = call(
  'Agent',
  { description: 'look around', prompt: 'x', run_in_background: true },
  'Async agent launched successfully. (This tool result is internal metadata.)\nagentId: a00d (internal ID)',
)
const terminal = call(
  'exec_command',
  { cmd: 'npm run dev', yield_time_ms: 1000 },
  'Chunk ID: 2c\nWall time: 1.0 seconds\nProcess running with session ID 57399\nOriginal token count: 0\nOutput:\n',
)
const kimiShell = call(
  'Bash',
  { command: 'make', run_in_background: true },
  'task_id: bash-1a2b3c4d\npid: 7\ndescription: build\nstatus: running\nautomatic_notification: true\n',
)

describe('work in the background', () => {
  it.each<[ClientKind, string, DriveStep[], NamedWork[], string[]]>([
    ['claude', 'a shell', [shell], [command('bv38', 'sleep 45; echo OK')], []],
    [
      'claude',
      'a shell that ended',
      [shell, said(`<system-reminder>\n${reminder(ended('bv38'))}\n</system-reminder>`)],
      [],
      ['bv38'],
    ],
    ['claude', 'a shell that ended within a turn', [shell, between(reminder(ended('bv38', 'failed')))], [], ['bv38']],
    [
      'claude',
      'a shell of which another ended',
      [shell, said(ended('b2'))],
      [command('bv38', 'sleep 45; echo OK')],
      ['b2'],
    ],
    [
      'claude',
      'a shell that was stopped',
      [shell, call('TaskStop', { task_id: 'bv38' }, '{"message":"Successfully stopped task: bv38 (sleep 45)"}')],
      [],
      ['bv38'],
    ],
    [
      'claude',
      'a shell of an earlier release, looked at',
      [shell, call('BashOutput', { bash_id: 'bv38' }, '<status>completed</status>\n\n<exit_code>0</exit_code>')],
      [],
      ['bv38'],
    ],
    [
      'claude',
      'a shell looked at while it runs',
      [shell, call('BashOutput', { bash_id: 'bv38' }, '<status>running</status>')],
      [command('bv38', 'sleep 45; echo OK')],
      [],
    ],
    [
      'claude',
      'a command that took too long',
      [
        call(
          'Bash',
          { command: 'make' },
          'Command exceeded its 120s timeout and was moved to the background (ID: b7).',
        ),
      ],
      [command('b7', 'make')],
      [],
    ],
    [
      'claude',
      'a shell of before a compaction',
      [between('Background shell b9 ("npm run dev") is still running (command: `npm run dev`).')],
      [command('b9', 'npm run dev')],
      [],
    ],
    [
      'claude',
      'a monitor and its event',
      [
        monitor,
        said(
          '<task-notification>\n<task-id>bo3l</task-id>\n<summary>Monitor event</summary>\n' +
            '<event>x</event>\n</task-notification>',
        ),
      ],
      [{ id: 'bo3l', kind: 'monitor', what: 'watch log' }],
      [],
    ],
    ['claude', 'a monitor that ended', [monitor, said(ended('bo3l'))], [], ['bo3l']],
    ['claude', 'a sub-agent', [async], [agent('a00d', 'look around')], []],
    ['claude', 'a sub-agent that ended', [async, said(ended('a00d'))], [], ['a00d']],
    ['claude', 'one that was sent on', [async, said(ended('a00d')), async], [agent('a00d', 'look around')], []],
    ['claude', 'a call without an answer', [call('Bash', {}, null)], [], []],
    [
      'claude',
      'the words in a file that was read',
      [call('Read', {}, 'Command running in background with ID: b1.')],
      [],
      [],
    ],
    [
      'claude',
      'the end in a person’s own words',
      [shell, said(`why do I see ${ended('bv38')}?`)],
      [command('bv38', 'sleep 45; echo OK')],
      [],
    ],
    ['codex', 'a terminal', [terminal], [command('57399', 'npm run dev')], []],
    [
      'codex',
      'a terminal that ended',
      [
        terminal,
        call('write_stdin', { session_id: 57_399 }, 'Wall time: 1 seconds\nProcess exited with code 0\nOutput:\n'),
      ],
      [],
      ['57399'],
    ],
    [
      'codex',
      'a terminal that runs on',
      [terminal, call('write_stdin', { session_id: 57_399 }, 'Process running with session ID 57399\nOutput:\n')],
      [command('57399', 'npm run dev')],
      [],
    ],
    [
      'codex',
      'one that is gone',
      [terminal, call('write_stdin', {}, 'write_stdin failed: Unknown process id 57399')],
      [],
      ['57399'],
    ],
    [
      'codex',
      'a command that ended at once',
      [call('exec_command', {}, 'Process exited with code 0\nOutput:\nx')],
      [],
      [],
    ],
    [
      'qwen',
      'a shell',
      [call('run_shell_command', { command: 'make' }, 'Background shell started. id: bg_94b4\npid: 7\noutput file: x')],
      [command('bg_94b4', 'make')],
      [],
    ],
    [
      'qwen',
      'a shell that ended',
      [
        call('run_shell_command', {}, 'Background shell started. id: bg_94b4'),
        said(
          '<task-notification>\n<task-id>bg_94b4</task-id>\n<kind>shell</kind>\n' +
            '<status>completed</status>\n</task-notification>',
        ),
      ],
      [],
      ['bg_94b4'],
    ],
    [
      'qwen',
      'a sub-agent',
      [
        call(
          'agent',
          { description: 'look' },
          'Background agent launched successfully.\ntask_id: general-1 (internal ID)',
        ),
      ],
      [agent('general-1', 'look')],
      [],
    ],
    ['kimi', 'a shell', [kimiShell], [command('bash-1a2b3c4d', 'make')], []],
    [
      'kimi',
      'a shell that ended',
      [
        kimiShell,
        said(
          '<notification id="n" category="task" type="task.completed" source_kind="background_task" ' +
            'source_id="bash-1a2b3c4d">\nx\n</notification>',
        ),
      ],
      [],
      ['bash-1a2b3c4d'],
    ],
    [
      'kimi',
      'a shell that was stopped',
      [kimiShell, call('TaskStop', { task_id: 'x' }, 'task_id: bash-1a2b3c4d\nstatus: killed\n')],
      [],
      ['bash-1a2b3c4d'],
    ],
    [
      'opencode',
      'a sub-agent',
      [
        call(
          'task',
          { description: 'look' },
          '<task id="ses_1" state="running">\n<summary>Background task started</summary>',
        ),
      ],
      [agent('ses_1', 'look')],
      [],
    ],
    [
      'opencode',
      'a sub-agent that ended',
      [
        call('task', { description: 'look' }, '<task id="ses_1" state="running">\n<summary>x</summary>'),
        said('<task id="ses_1" state="completed">\n<summary>Background task completed: look</summary>'),
      ],
      [],
      ['ses_1'],
    ],
    [
      'gemini',
      'a process',
      [
        call(
          'run_shell_command',
          { command: 'make', is_background: true },
          '<untrusted_context>\nCommand moved to background (PID: 15077). Output hidden. ' +
            'Press Ctrl+B to view.\n</untrusted_context>',
        ),
      ],
      [command('15077', 'make')],
      [],
    ],
    ['other', 'anything at all', [shell, terminal], [], []],
  ])('%s: %s', (client, _what, steps, running, over) => {
    expect(backgroundOf(client, steps, steps)).toEqual({ running, ended: over })
  })
})

describe('a sub-agent that Codex sets to work', () => {
  const spawned = (result: string) =>
    call('collaboration.spawn_agent', { task_name: 'counting', message: 'Count.' }, result)
  const after = (step: DriveStep, between: (activity: ReturnType<typeof createActivity>) => void) => {
    const activity = createActivity(virtualClock(), () => undefined)
    activity.begin('s', 'main-1', 1)
    activity.end('s', 'main-1', 'tool-calls', delegates('codex', ['spawn_agent']))
    activity.begin('s', 'main-2', 2)
    activity.end('s', 'main-2', 'stop')
    between(activity)
    return withSubagents(backgroundOf('codex', [step], [step]), activity, 's')
  }
  const waits = { running: [{ id: 'subagents', kind: 'agent', what: null }] }
  const goesOn = { running: [], ended: ['subagents'] }

  it('is waited for, though the main agent stops before its first request comes', () => {
    expect(after(spawned('{"task_name":"/lead/counting"}'), () => undefined)).toMatchObject(waits)
    expect(after(call('collaboration.followup_task', { target: 'counting' }, ''), () => undefined)).toMatchObject(waits)
  })

  it('is not waited for where it could not be begun', () => {
    expect(after(spawned('agent path `/lead/counting` already exists'), () => undefined)).toEqual(goesOn)
  })

  it('is waited for while its request runs, and no longer', () => {
    const step = spawned('{"task_name":"/lead/counting"}')
    expect(after(step, (activity) => activity.subagentBegin('s', 'sub-1', 'a'))).toMatchObject(waits)
    const over = after(step, (activity) => {
      activity.subagentBegin('s', 'sub-1', 'a')
      activity.subagentEnd('s', 'sub-1', 'stop', 'a')
    })
    expect(over).toEqual(goesOn)
  })
})
