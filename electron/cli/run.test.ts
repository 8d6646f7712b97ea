import { appendFile, chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ControlApi } from '../../shared/control/contract.ts'
import { OnwardError } from '../engine/base/errors.ts'
import { controlTokenFile } from '../engine/control/token.ts'
import {
  sampleEntry,
  sampleSession,
  sampleStatus,
  sampleTerminal,
  sceneTime,
} from '../engine/control/testing/fake-control-api.ts'
import { sentencesOf } from '../../shared/sentences/index.ts'
import type { CliParts } from './cli.ts'
import { parts as realParts } from './parts.ts'
import { cliHomes } from './testing/cli-homes.ts'
import { onward } from './testing/test-cli.ts'
import { until } from '../../shared/testing/wait-for.ts'

const { home, against } = cliHomes()

const sessions = [
  sampleSession(),
  sampleSession({
    id: 'ses_0002',
    name: 'api-gateway',
    client: 'codex',
    shape: 'needs',
    say: { code: 'held', reason: { code: 'dialog-open' } },
    stopMessage: null,
    lastActivityAt: sceneTime - 120_000,
  }),
  sampleSession({
    id: 'ses_0003',
    name: '落地页',
    client: 'opencode',
    shape: 'done',
    say: { code: 'done', reason: { code: 'rounds-used', used: 3, max: 3 } },
    stopMessage: null,
  }),
]

describe('status', () => {
  it('says where the engine is, what is set up and who needs you', async () => {
    const { code, out } = await against({ sessions: async () => sessions }, ['status'])
    expect(code).toBe(0)
    expect(out).toContain('● Onward 0.1.0 runs at http://127.0.0.1:5520 pid 4242, for 1 h')
    expect(out).toContain('Config     ~/.onward/config.json')
    expect(out).toContain('Sessions   3, 1 working, 1 needs you')
    expect(out).toContain('Today      118 turns, 2.4M tokens, $4.21')
    expect(out).toContain('◆ codex')
    expect(out).not.toContain('billing-service')
  })
  it('says that it is paused, on the simulator and with a wrong config', async () => {
    const { out } = await against(
      {
        sessions: async () => [],
        status: async () =>
          sampleStatus({ paused: true, simulator: true, configProblem: 'server.port: expected a number' }),
      },
      ['status'],
    )
    expect(out).toContain('⏸ Onward 0.1.0 is paused')
    expect(out).toContain('◆ No provider is set up')
    expect(out).toContain('▲ Config not taken over: server.port: expected a number')
  })
  const limits = [
    { provider: 'anthropic', since: sceneTime - 120_000, lifts: sceneTime + 6_480_000, resuming: 2 },
    { provider: 'zai', since: sceneTime, lifts: null, resuming: 1 },
    { provider: 'kimi', since: sceneTime, lifts: sceneTime, resuming: 0 },
  ]
  it('tells the limits of providers, and who goes on when they lift', async () => {
    const { minute } = sentencesOf('en').figures
    const { out } = await against({ sessions: async () => [], status: async () => sampleStatus({ limits }) }, [
      'status',
    ])
    expect(out).toContain(
      `Limits     anthropic: reached at ${minute(sceneTime - 120_000)}, lifts at ${minute(sceneTime + 6_480_000)}, 2 sessions go on then\n`,
    )
    expect(out).toContain(
      `           zai: reached at ${minute(sceneTime)}, no time told when it lifts, 1 session goes on then\n`,
    )
    expect(out).toMatch(/kimi: reached at \S+, lifts at \S+\n/)
    expect((await against({ sessions: async () => [] }, ['status'])).out).not.toContain('Limits')
  })
  it.each([
    [
      {
        waiting: 3,
        missed: 2,
        next: { sessionId: 'ses_0001', sessionName: 'billing-service', dueAt: sceneTime + 1_080_000, task: 'x' },
      },
      'Alarms     3 wait, the next in 18 min in billing-service, 2 missed (`onward alarm missed`)\n',
    ],
    [
      { waiting: 1, missed: 0, next: { sessionId: 'ses_0001', sessionName: 'b', dueAt: sceneTime - 1, task: 'x' } },
      'Alarms     1 waits, the next now in b\n',
    ],
    [{ waiting: 0, missed: 1, next: null }, 'Alarms     1 missed (`onward alarm missed`)\n'],
  ])('tells what waits of alarms: %j', async (alarms, line) => {
    expect(
      (await against({ sessions: async () => [], status: async () => sampleStatus({ alarms }) }, ['status'])).out,
    ).toContain(line)
    expect(
      (
        await against(
          {
            sessions: async () => [],
            status: async () => sampleStatus({ alarms: { waiting: 0, missed: 0, next: null } }),
          },
          ['status'],
        )
      ).out,
    ).not.toContain('Alarms')
  })
  it('tells the limits to programs, too', async () => {
    const { out } = await against({ sessions: async () => [], status: async () => sampleStatus({ limits }) }, [
      'status',
      '--json',
    ])
    expect(JSON.parse(out)).toMatchObject({ limits })
  })
  it('is one JSON document for programs', async () => {
    const { out } = await against({ sessions: async () => sessions }, ['status', '--json'])
    expect(JSON.parse(out)).toMatchObject({ running: true, pid: 4242 })
    expect(out.trim().split('\n')).toHaveLength(1)
  })
})

describe('sessions', () => {
  it('come in aligned rows, those that need you first', async () => {
    const { out } = await against({ sessions: async () => sessions }, ['sessions'])
    const lines = out.trimEnd().split('\n')
    expect(lines.map((line) => line[0])).toEqual(['◆', '●', '✓'])
    expect(lines[1]).toContain('12/30')
    // the wide name takes two columns each
    expect(lines[2]).toContain('落地页           ')
    expect(lines[0]?.indexOf('api-gateway')).toBe(lines[1]?.indexOf('billing-service'))
  })
  it('have their ids beside a name that several share, long enough to tell them apart', async () => {
    const ids = ['01a206f9-4dc6-7220-9ff4-9ba561afd5d8', '01a206f9-514a-70d3-b8b1-ac2808c2824c']
    const alike = ids.map((id) => sampleSession({ id, name: 'work' }))
    const { out } = await against({ sessions: async () => [...sessions, ...alike] }, ['sessions'])
    expect(out.match(/ work +01a206f9-\S+/g)?.map((cell) => cell.trim().split(/ +/)[1])).toEqual([
      '01a206f9-4dc6',
      '01a206f9-514a',
    ])
    expect(out).not.toContain(sessions[0]?.id ?? 'none')
  })
  it('speak the language of the settings', async () => {
    const { out } = await against(
      { sessions: async () => sessions, status: async () => sampleStatus({ language: 'zh-CN' }) },
      ['sessions'],
    )
    expect(out).toContain('第 42 回合')
  })
  it('fit the terminal, and cut rather than wrap', async () => {
    const long = sampleSession({
      name: 'a-very-long-name-for-a-session-that-nobody-needs',
      say: { code: 'needs-you', what: 'wants to run something with many words behind it and then some more' },
    })
    const { out } = await against({ sessions: async () => [long] }, ['sessions'], {
      tty: { in: true, out: true, err: true, columns: 60 },
      env: { NO_COLOR: '1' },
    })
    expect(out.trimEnd().length).toBeLessThanOrEqual(60)
    expect(out).toContain('…')
  })
  it('can’t move the cursor or set the title by their names', async () => {
    const { out } = await against(
      { sessions: async () => [sampleSession({ name: 'x\u001b]0;owned\u0007\u001b[2J\r\ny' })] },
      ['sessions'],
    )
    // eslint-disable-next-line no-control-regex -- that is the point
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  })
  it('are coloured only where a person looks, and not against NO_COLOR', async () => {
    const api = { sessions: async () => sessions }
    const tty = { in: true, out: true, err: true, columns: 100 }
    expect((await against(api, ['sessions'], { tty, env: { TERM: 'xterm' } })).out).toContain('\u001b[33m◆')
    for (const env of [{ NO_COLOR: '1', TERM: 'xterm' }, { TERM: 'dumb' }])
      expect((await against(api, ['sessions'], { tty, env })).out).not.toContain('\u001b')
    expect((await against(api, ['sessions'], { env: {} })).out).not.toContain('\u001b')
  })
  it('say how to begin when there is none', async () => {
    expect((await against({ sessions: async () => [] }, ['sessions'])).out).toContain('onward claude')
  })
})

describe('say', () => {
  it('queues the text and says what holds it', async () => {
    const asked: unknown[] = []
    const { code, out } = await against(
      {
        say: async (...args) => {
          asked.push(args)
          return sampleEntry({ hold: { code: 'agent-busy' } })
        },
      },
      ['say', 'billing', 'run the tests'],
    )
    expect(code).toBe(0)
    expect(asked).toEqual([['billing', 'run the tests']])
    expect(out).toMatch(/^◐ .+ out_1\n$/)
  })
  it('takes - from stdin, its last line feed apart', async () => {
    const asked: unknown[] = []
    await against(
      {
        say: async (...args) => {
          asked.push(args)
          return sampleEntry()
        },
      },
      ['say', 'billing', '-'],
      { readStdin: async () => 'line 1\nline 2\n' },
    )
    expect(asked).toEqual([['billing', 'line 1\nline 2']])
  })
  it('has nothing to say without a text', async () => {
    expect((await against({}, ['say', 'billing', '  '])).code).toBe(2)
  })
})

describe('stop-message', () => {
  const calls: [string, unknown][] = []
  const record =
    (name: string, result: unknown) =>
    async (...args: unknown[]) => {
      calls.push([name, ...args] as [string, unknown])
      return result
    }
  const view = sampleSession()
  const api = {
    session: record('session', view),
    setStopMessage: record('set', view),
    clearStopMessage: record('clear', view),
    rearmStopMessage: record('rearm', view),
    addRounds: record('add', view),
    pause: record('pause', undefined),
    resume: record('resume', undefined),
  } as unknown as Partial<ControlApi>

  const table: [string[], [string, ...unknown[]][]][] = [
    [[], [['session', 'b']]],
    [['go on'], [['set', { session: 'b', text: 'go on' }]]],
    [['go on', '--rounds', '10'], [['set', { session: 'b', text: 'go on', rounds: 10 }]]],
    [
      ['go on', '--rounds', 'unlimited', '--review'],
      [['set', { session: 'b', text: 'go on', rounds: null, review: true }]],
    ],
    [['--no-review', 'go on'], [['set', { session: 'b', text: 'go on', review: false }]]],
    [['--rounds', '3'], [['set', { session: 'b', rounds: 3 }]]],
    [['--clear'], [['clear', 'b']]],
    [['--rearm'], [['rearm', 'b']]],
    [['--add', '10'], [['add', 'b', 10]]],
    [
      ['--pause'],
      [
        ['pause', 'b'],
        ['session', 'b'],
      ],
    ],
    [
      ['--resume'],
      [
        ['resume', 'b'],
        ['session', 'b'],
      ],
    ],
  ]
  it.each(table)('%j', async (words, expected) => {
    calls.length = 0
    const { code, out } = await against(api, ['stop-message', 'b', ...words])
    expect(code).toBe(0)
    expect(calls).toEqual(expected)
    expect(out).toContain('12/30')
  })

  it.each([
    [['--clear', '--pause']],
    [['go on', '--clear']],
    [['--add', '0']],
    [['--add', '1.5']],
    [['--rounds', '-1']],
    [['--rounds', 'many']],
    [['--add']],
    [['--nonsense']],
  ])('does not take %j', async (words) => {
    calls.length = 0
    const { code, err } = await against(api, ['stop-message', 'b', ...words])
    expect(code).toBe(2)
    expect(err).not.toBe('')
    expect(calls).toEqual([])
  })
})

describe('pause and resume', () => {
  it.each([
    ['pause', [], null],
    ['pause', ['billing'], 'billing'],
    ['resume', [], null],
    ['resume', ['billing'], 'billing'],
  ] as const)('%s %j', async (word, rest, expected) => {
    const asked: unknown[] = []
    const { code, out } = await against(
      {
        [word]: async (session: string | null) => {
          asked.push(session)
        },
      },
      [word, ...rest],
    )
    expect(code).toBe(0)
    expect(asked).toEqual([expected])
    expect(out).not.toBe('')
  })
})

describe('terminals', () => {
  it('are listed with what holds automation back', async () => {
    const { out } = await against(
      {
        terminals: async () => [
          sampleTerminal({ hold: { code: 'typing' } }),
          sampleTerminal({ id: 'term_2', alive: false, exitCode: 137, home: 'hosted', pane: null }),
        ],
      },
      ['terminals'],
    )
    expect(out).toContain('tmux %3')
    expect(out).toContain('~/code/billing')
    expect(out).toContain('ended with 137')
  })
  it('open with the agent’s arguments as they are, and without this terminal’s own environment', async () => {
    const asked: Parameters<ControlApi['openTerminal']>[0][] = []
    const { code } = await against(
      {
        openTerminal: async (input) => {
          asked.push(input)
          return sampleTerminal()
        },
      },
      ['terminals', 'open', 'codex', '--', 'exec', '--json', 'x'],
      { env: { PATH: '/bin', TMUX: 'a,1,2', TMUX_PANE: '%1' }, cwd: '/code/app' },
    )
    expect(code).toBe(0)
    expect(asked[0]).toMatchObject({
      client: 'codex',
      args: ['exec', '--json', 'x'],
      cwd: '/code/app',
      env: { PATH: '/bin' },
    })
    expect(asked[0]?.env).not.toHaveProperty('TMUX')
  })
  it('close and rename', async () => {
    const asked: unknown[] = []
    expect(
      (
        await against(
          {
            closeTerminal: async (id) => {
              asked.push(id)
            },
          },
          ['terminals', 'close', 'term_1'],
        )
      ).code,
    ).toBe(0)
    expect(
      (
        await against(
          {
            renameTerminal: async (...args) => {
              asked.push(args)
            },
          },
          ['terminals', 'rename', 'term_1', 'new name'],
        )
      ).code,
    ).toBe(0)
    expect(asked).toEqual(['term_1', ['term_1', 'new name']])
  })
  it('print a screen for a report', async () => {
    const asked: unknown[] = []
    const { code, out } = await against(
      {
        reportScreen: async (id) => {
          asked.push(id)
          return '{"client":"codex"}\n› xxxx\n'
        },
      },
      ['terminals', 'screen', 'term_1'],
    )
    expect({ code, out, asked }).toEqual({ code: 0, out: '{"client":"codex"}\n› xxxx\n', asked: ['term_1'] })
  })
  it('do not open what nobody knows', async () => {
    expect((await against({}, ['terminals', 'open', 'emacs'])).code).toBe(2)
    expect((await against({}, ['terminals', 'open', 'other'])).code).toBe(2)
  })
})

describe('exit codes and errors', () => {
  it('3 and a hint where no engine runs', async () => {
    const { path } = await home()
    const { code, err } = await onward(['status', '--home', path])
    expect(code).toBe(3)
    expect(err).toContain(`No engine runs for ${path}.`)
    expect(err).toContain('onward start')
  })
  it('3 where the note is there and nobody answers', async () => {
    const { path, listening } = await home({ status: async () => sampleStatus() })
    await listening?.close()
    expect((await onward(['status', '--home', path])).code).toBe(3)
  })
  it('3 when the engine ends in the middle of a call', async () => {
    const { path, listening } = await home({
      status: async () => sampleStatus(),
      sessions: () => {
        listening?.control.dispose()
        return new Promise(() => {})
      },
    })
    const { code, err } = await onward(['sessions', '--home', path])
    expect(code).toBe(3)
    expect(err).toContain('the connection was closed')
  })
  it('4 where the engine does not know this home’s token', async () => {
    const { path } = await home({ status: async () => sampleStatus(), sessions: async () => [] })
    await writeFile(controlTokenFile(path), 'another-token-0123456789abcdef')
    const { code, err } = await onward(['status', '--home', path])
    expect(code).toBe(4)
    expect(err).toContain('does not accept this home’s control token')
    expect(err).not.toContain('another-token')
  })
  it.each([
    ['session-unknown', 5],
    ['session-ambiguous', 5],
    ['terminal-unknown', 5],
    ['nothing-to-rearm', 4],
    ['revision-conflict', 4],
  ])('%s is %i, in the engine’s words', async (code, exit) => {
    const ran = await against(
      {
        session: async () => {
          throw new OnwardError(code, 'The words of the engine.')
        },
      },
      ['stop-message', 'x'],
    )
    expect(ran).toMatchObject({ code: exit, err: 'onward: The words of the engine.\n' })
  })
  it('are JSON with --json', async () => {
    const { err } = await against(
      {
        session: async () => {
          throw new OnwardError('session-unknown', 'No session is called x.')
        },
      },
      ['stop-message', 'x', '--json'],
    )
    expect(JSON.parse(err)).toEqual({ error: { code: 'session-unknown', message: 'No session is called x.', exit: 5 } })
  })
  it('1 for a fault of the engine', async () => {
    const { code, err } = await against(
      {
        sessions: async () => {
          throw new TypeError('boom')
        },
      },
      ['sessions'],
    )
    expect(code).toBe(1)
    expect(err).toContain('boom')
  })
  it.each([
    [['nonsense']],
    [['statsu']],
    [['say']],
    [['say', 'a', 'b', 'c']],
    [['status', '--port', 'x']],
    [['status', '--port', '70000']],
    [['--nonsense']],
  ])('2 for %j', async (words) => {
    const { code, err, out } = await onward(words)
    expect(code).toBe(2)
    expect(err).not.toBe('')
    expect(out).toBe('')
  })
  it('guesses what was meant', async () => {
    expect((await onward(['statsu'])).err).toContain('status')
  })
})

describe('where it looks', () => {
  it('takes the home from --home before or behind the command, or ONWARD_HOME', async () => {
    const { path } = await home({ status: async () => sampleStatus(), sessions: async () => [] })
    for (const [words, env] of [
      [['--home', path, 'status'], {}],
      [['status', '--home', path], { ONWARD_HOME: '/nowhere' }],
      [['status'], { ONWARD_HOME: path }],
    ] as const) {
      expect((await onward(words, { env })).code).toBe(0)
    }
  })
  it('takes a port over the engine’s own note', async () => {
    const { path } = await home({ status: async () => sampleStatus(), sessions: async () => [] })
    const other = await home({ status: async () => sampleStatus({ pid: 77 }), sessions: async () => [] })
    const port = String(other.listening?.port)
    expect((await onward(['status', '--home', path, '--port', port])).out).toContain('pid 77')
    expect((await onward(['status', '--home', path], { env: { ONWARD_PORT: port } })).out).toContain('pid 77')
  })
  it('reads ~ as the person’s folder', async () => {
    expect((await onward(['config', 'path', '--home', '~/x'])).out).toBe('/home/ada/x/config.json\n')
    expect((await onward(['config', 'path'])).out).toBe('/home/ada/.onward/config.json\n')
  })
})

describe('config', () => {
  it('check needs no engine and says where it is wrong', async () => {
    const { path } = await home()
    await writeFile(join(path, 'config.json'), '{\n  "server": 1 }')
    const parts = partsWith({ checkConfig: realParts.checkConfig })
    expect(await onward(['config', 'check', '--home', path], { parts })).toMatchObject({
      code: 1,
      out: `▲ ${path}/config.json:2:13 server: This must be an object.\n`,
    })
    expect(JSON.parse((await onward(['config', 'check', '--home', path, '--json'], { parts })).out)).toMatchObject({
      ok: false,
      problems: [{ line: 2, path: 'server' }],
    })
    await writeFile(join(path, 'config.json'), '{}')
    expect((await onward(['config', 'check', '--home', path], { parts })).code).toBe(0)
    await rm(join(path, 'config.json'))
    expect((await onward(['config', 'check', '--home', path], { parts })).out).toContain('does not exist')
  })
})

describe('doctor', () => {
  it('says what is wrong and how to mend it, without an engine', async () => {
    const { path } = await home()
    const { code, out } = await onward(['doctor', '--home', path, '--port', '0'], {
      parts: partsWith({ checkConfig: async () => [] }),
      env: { PATH: '/nonexistent' },
    })
    expect(out).toContain('✓ node')
    expect(out).toContain('▲ agents')
    expect(out).toContain('npm install -g @openai/codex')
    expect(code).toBe(1)
  })
  it('says that a home is open to others', async () => {
    const { path } = await home()
    const open = join(path, 'open')
    await mkdir(open)
    await chmod(open, 0o755)
    const { out } = await onward(['doctor', '--home', open, '--port', '0'], {
      parts: partsWith({ checkConfig: async () => [] }),
    })
    expect(out).toContain(`chmod 700 ${open}`)
  })
  it('hands on what the engine found', async () => {
    const finding = { check: 'providers', ok: false, say: 'glm does not answer.', mend: 'Check its baseUrl.' }
    const ran = await against({ doctor: async () => [finding] }, ['doctor', '--json'], {
      parts: partsWith({ checkConfig: async () => [] }),
    })
    expect(JSON.parse(ran.out)).toContainEqual(finding)
    expect(ran.code).toBe(1)
  })
})

describe('logs', () => {
  const line = (n: number) =>
    `${JSON.stringify({ level: n % 2 ? 30 : 50, time: sceneTime + n, msg: `line ${n}`, part: 'gateway' })}\n`
  it('shows the last lines, also of a dead engine', async () => {
    const { path } = await home()
    await mkdir(join(path, 'logs'))
    await writeFile(
      join(path, 'logs', 'engine.log'),
      Array.from({ length: 5000 }, (_, n) => line(n)).join('') + '{"half',
    )
    const { out } = await onward(['logs', '--home', path, '-n', '3'])
    expect(out.split('\n').slice(0, -1)).toEqual([
      '14:12:04.997 info  line 4997 part=gateway',
      '14:12:04.998 error line 4998 part=gateway',
      '14:12:04.999 info  line 4999 part=gateway',
    ])
    expect((await onward(['logs', '--home', path, '-n', '1', '--json'])).out).toBe(line(4999))
  })
  it('goes on with what comes, over a rotation', async () => {
    const { path } = await home()
    await mkdir(join(path, 'logs'))
    const file = join(path, 'logs', 'engine.log')
    await writeFile(file, line(1))
    const end = new AbortController()
    const seen: string[] = []
    const running = onward(['logs', '-f', '--json', '--home', path], {
      untilInterrupted: () => end.signal,
      out: (text) => {
        seen.push(text)
      },
    })
    await until(() => seen.length === 1)
    await appendFile(file, line(2).slice(0, 10))
    await appendFile(file, line(2).slice(10))
    await until(() => seen.length === 2)
    await rename(file, `${file}.1`)
    await writeFile(file, line(3))
    await until(() => seen.length === 3)
    end.abort()
    expect((await running).code).toBe(0)
    expect(seen).toEqual([1, 2, 3].map(line))
  })
  it('says that there is none', async () => {
    const { path } = await home()
    expect((await onward(['logs', '--home', path])).code).toBe(1)
  })
})

describe('help', () => {
  const commands = [
    'start',
    'serve',
    'status',
    'sessions',
    'say',
    'stop-message',
    'rounds',
    'checks',
    'budgets',
    'pause',
    'resume',
    'resume-at-reset',
    'turns',
    'capture',
    'terminals',
    'providers',
    'route',
    'config',
    'doctor',
    'logs',
    'register',
    'claude',
    'codex',
    'opencode',
    'qwen',
    'gemini',
    'copilot',
    'kimi',
    'kilo',
    'run',
    'completion',
  ]
  it('lists every command and the exit codes', async () => {
    const { code, out } = await onward(['--help'])
    expect(code).toBe(0)
    for (const command of commands) expect(out).toMatch(new RegExp(`^  ${command} `, 'm'))
    expect(out).toContain('no engine runs for this home')
  })
  it.each(commands.filter((name) => name !== 'config'))(
    '%s --help has examples and the shared options',
    async (command) => {
      const { code, out } = await onward([command, '--help'])
      expect(code).toBe(0)
      expect(out).toContain('Examples:')
      for (const option of ['--home', '--port', '--json']) expect(out).toContain(option)
    },
  )
  it('prints the version', async () => {
    expect((await onward(['--version'])).out).toBe('0.1.0\n')
  })
})

describe('register', () => {
  const plan = {
    terminalId: 'term_9',
    argv: [],
    env: { ONWARD_KEY: "a'b", OPENAI_BASE_URL: 'http://127.0.0.1:5520/v1' },
  }
  it('registers a program without a terminal, and prints what it needs only when asked', async () => {
    const asked: unknown[] = []
    const api: Partial<ControlApi> = {
      registerTerminal: async (input) => {
        asked.push(input)
        return plan
      },
    }
    const words = ['register', '--daemon-id', 'bot']
    expect((await against(api, words, { env: {} })).out).not.toContain("a'b")
    expect((await against(api, [...words, '--export'], { env: {} })).out).toBe(
      "export ONWARD_KEY='a'\\''b'\nexport OPENAI_BASE_URL='http://127.0.0.1:5520/v1'\n",
    )
    expect(asked[0]).toMatchObject({ client: 'other', daemonId: 'bot', place: { kind: 'none' } })
  })
})

function partsWith(parts: Partial<CliParts>): CliParts {
  const no = () => {
    throw new Error('not part of this test')
  }
  return {
    sentencesOf: async (language) => sentencesOf(language),
    checkConfig: no,
    serve: no,
    runWrapped: no,
    ...parts,
  }
}
