import { describe, expect, it } from 'vitest'
import type { ControlApi } from '../../shared/operations/index.ts'
import { sentencesOf } from '../../shared/sentences/index.ts'
import { sampleEntry, sampleSession, sampleStatus, sceneTime } from '../engine/control/testing/fake-control-api.ts'
import { cliHomes } from './testing/cli-homes.ts'

const { against } = cliHomes()

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
  it('says of a wrong config each place, what runs meanwhile, and what can be done', async () => {
    const at = (line: number) => ({
      line,
      column: 3,
      path: 'server.port',
      code: 'wrong-type' as const,
      facts: { expected: 'number' },
      message: 'This must be a number.',
    })
    const status = sampleStatus({
      configProblem: 'config.json, line 2',
      configTrouble: { problems: [at(2), at(5)], total: 3, what: null, meanwhile: 'before', canPutBack: true },
    })
    const { out } = await against({ sessions: async () => [], status: async () => status }, ['status'])
    expect(out).toContain(
      [
        '▲ Config not taken over. The config that ran before stays in force; nothing has stopped.',
        '▲ /home/ada/.onward/config.json:2:3 server.port: This must be a number.',
        '▲ /home/ada/.onward/config.json:5:3 server.port: This must be a number.',
        '  And 1 more.',
        '  Mend it: onward config edit',
        '  Put back the last one that was right: onward config put-back',
        '',
      ].join('\n'),
    )
  })
  const limits = [
    { provider: 'anthropic', since: sceneTime - 120_000, lifts: sceneTime + 6_480_000, resuming: 2 },
    { provider: 'zai', since: sceneTime, lifts: null, resuming: 1 },
    { provider: 'kimi', since: sceneTime, lifts: sceneTime, resuming: 0 },
  ]
  it('tells what takes the turns of a session whose providers fail', async () => {
    const outage = { failed: ['anthropic.claude-sonnet'], since: sceneTime, tell: true, standIn: 'zai.glm-5' }
    const told = [sampleSession({ outage }), sampleSession({ outage: { ...outage, standIn: null } })]
    const { out } = await against({ sessions: async () => told }, ['status'])
    expect(out.match(/Stand-ins .*$/gm)).toEqual([
      'Stand-ins  billing-service: zai/glm-5 until anthropic/claude-sonnet answers again',
    ])
  })
  it('tells who waits before a limit, and until when', async () => {
    const at = sceneTime
    const until = at + 3_600_000
    const reason = { code: 'near-limit', provider: 'zai', window: '5h', usedPercent: 92.6, at, until } as const
    const waits = sampleSession({ shape: 'held', say: { code: 'held', reason } })
    const { out } = await against({ sessions: async () => [waits] }, ['status'])
    expect(out).toMatch(
      /Near a limit +billing-service: Held until (?:\d+ \w+ )?\d\d:\d\d: 92% of zai’s limit “5h” are used\n/,
    )
  })
  it('tells the limits of providers, and who goes on when they lift', async () => {
    const { minute } = sentencesOf('en').figures
    const { out } = await against({ sessions: async () => [], status: async () => sampleStatus({ limits }) }, [
      'status',
    ])
    expect(out).toContain(
      `Limits     anthropic: reached at ${minute(sceneTime - 120_000)}, ` +
        `lifts at ${minute(sceneTime + 6_480_000)}, 2 sessions go on then\n`,
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
  it('archive and restore a session, and list archived ones when asked to', async () => {
    const asked: unknown[] = []
    const archiveSession: ControlApi['archiveSession'] = async (...args) => {
      asked.push(args)
      return sampleSession()
    }
    const archived = await against({ archiveSession }, ['sessions', 'archive', 'billing'])
    expect(archived.out).toBe('billing-service is archived until its next turn.\n')
    const restored = await against({ archiveSession }, ['sessions', 'restore', 'billing'])
    expect(restored.out).toBe('billing-service is in the list again.\n')
    expect(asked).toEqual([[{ session: 'billing', archived: true }], [{ session: 'billing', archived: false }]])
    const away = { sessions: async () => [sampleSession({ archived: true })] }
    expect((await against(away, ['sessions'])).out).toContain('Every session is archived.')
    expect((await against(away, ['sessions', '--archived'])).out).toContain('billing-service')
  })
  it('delete a session only when a person says so, or with --yes', async () => {
    const asked: unknown[] = []
    const calls = {
      session: async () => sampleSession(),
      deleteSession: async (id: string) => void asked.push(id),
    }
    const piped = await against(calls, ['sessions', 'delete', 'billing'])
    expect(piped).toMatchObject({ code: 4, err: expect.stringContaining('--yes') })
    expect(asked).toEqual([])
    const done = await against(calls, ['sessions', 'delete', 'billing', '--yes'])
    expect(done.out).toBe('billing-service is deleted. What it cost stays in the totals.\n')
    expect(asked).toEqual([sampleSession().id])
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
    expect(asked).toEqual([[{ session: 'billing', text: 'run the tests' }]])
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
    expect(asked).toEqual([[{ session: 'billing', text: 'line 1\nline 2' }]])
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
    [['--add', '10'], [['add', { session: 'b', rounds: 10 }]]],
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
