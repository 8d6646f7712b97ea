import { describe, expect, it } from 'vitest'
import type { ControlApi } from '../../shared/operations/index.ts'
import type { TurnRecord } from '../../shared/state.ts'
import { OnwardError } from '../engine/base/errors.ts'
import { sampleSession, sceneTime } from '../engine/control/testing/fake-control-api.ts'
import { cliHomes } from './testing/cli-homes.ts'

const { against } = cliHomes({ sessions: async () => [sampleSession()], turns: async () => [] })

const record = (more: Partial<TurnRecord> = {}): TurnRecord => ({
  requestId: 'req_1',
  at: sceneTime,
  sessionId: 'ses_0001',
  scope: null,
  client: 'claude',
  entry: 'messages',
  kind: 'turn',
  model: 'sonnet',
  status: 200,
  finish: 'stop',
  turn: 42,
  by: 'onward',
  route: {
    provider: 'glm',
    model: 'glm-5',
    keyAlias: 'main',
    category: 'thinking',
    why: [
      { code: 'category', category: 'thinking', because: { code: 'thinking' } },
      { code: 'sticky', target: 'glm.glm-5', since: sceneTime - 3_600_000 },
    ],
    skipped: [
      {
        candidate: 'anth.claude-x',
        why: { code: 'resting', key: null, rest: { why: 'failures', count: 3, until: sceneTime + 32_000 } },
      },
    ],
  },
  usage: { input: 48_200, cachedInput: 41_000, output: 900, reasoning: 300 },
  costUsd: 0.12,
  ttfbMs: 1240,
  durationMs: 8200,
  bytesIn: 190_000,
  bytesOut: 12_000,
  error: null,
  ...more,
})
const broken = record({
  requestId: 'req_2',
  finish: 'error',
  status: 529,
  usage: null,
  costUsd: null,
  ttfbMs: null,
  route: null,
  error: { code: 'upstream-refused', message: 'Every provider refused.' },
})
const elsewhere = record({ requestId: 'req_3', sessionId: 'ses_0002' })

describe('turns', () => {
  it('are a table, newest first as the engine tells them', async () => {
    const { code, out } = await against({ turns: async () => [record(), broken] }, ['turns'])
    expect(code).toBe(0)
    const [head, first, second, ...more] = out.trimEnd().split('\n')
    expect(more).toEqual([])
    expect(head?.split(/\s{2,}/)).toEqual([
      'time',
      'id',
      'session',
      'route',
      'model',
      'in',
      'cached',
      'out',
      'cost',
      'first byte',
      'took',
      'end',
    ])
    expect(first?.split(/\s{2,}/)).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d$/),
      'req_1',
      'billing-service',
      'thinking',
      'glm/glm-5',
      '48.2k',
      '41.0k',
      '900',
      '$0.12',
      '1.2 s',
      '8.2 s',
      'stop',
    ])
    expect(second).toContain('529')
    // what stands under a heading begins, or ends, where it does
    expect(first?.indexOf('glm/glm-5')).toBe(head?.indexOf('model'))
    expect((first?.indexOf('8.2 s') ?? 0) + 5).toBe((head?.indexOf('took') ?? 0) + 4)
  })

  it.each<[string[], number, string[]]>([
    [[], 20, ['req_1', 'req_2', 'req_3']],
    [['--limit', '2'], 2, ['req_1', 'req_2']],
    [['--failed'], 1000, ['req_2']],
    [['billing'], 1000, ['req_1', 'req_2']],
    [['billing', '--limit', '1'], 1000, ['req_1']],
    [['billing', '--failed', '--limit', '5'], 1000, ['req_2']],
  ])('%j asks for %i and shows %j', async (words, asked, shown) => {
    const limits: number[] = []
    const api: Partial<ControlApi> = {
      turns: async (limit) => {
        limits.push(limit)
        return [record(), broken, elsewhere].slice(0, limit)
      },
      session: async () => sampleSession(),
    }
    const { out } = await against(api, ['turns', ...words, '--json'])
    expect(limits).toEqual([asked])
    expect((JSON.parse(out) as TurnRecord[]).map(({ requestId }) => requestId)).toEqual(shown)
  })

  it('say their date where it is not today, and leave out columns in which nothing stands', async () => {
    const { out } = await against(
      {
        turns: async () => [
          record({ at: sceneTime - 3 * 86_400_000, costUsd: null, usage: null, route: null, model: null }),
        ],
      },
      ['turns'],
    )
    expect(out).toMatch(/\n\d\d-\d\d \d\d:\d\d:\d\d/)
    for (const head of ['cost', 'route', 'model']) expect(out.split('\n')[0]).not.toContain(head)
  })

  it('say what each cost, and why there is no sum', async () => {
    const records = [
      record(),
      record({ costUsd: null }),
      record({ costUsd: null, price: { from: 'plan', worth: null } }),
      record({ costUsd: null, price: { from: 'local' } }),
      broken,
    ]
    const { out } = await against({ turns: async () => records }, ['turns'])
    const said = out.split('\n').map((line) => /\$0\.12|no price|subscription|free/.exec(line)?.[0])
    expect(said.slice(1, 6)).toEqual(['$0.12', 'no price', 'subscription', 'free', undefined])
  })

  it('say which found a cold cache, if any did', async () => {
    const cold = { why: 'message-edited' as const, message: 3, tokens: 41_000, costUsd: 0.11 }
    const { out } = await against({ turns: async () => [record({ cold }), record()] }, ['turns'])
    expect(out.split('\n')[0]).toMatch(/cached\s+cold\s+out/)
    expect(out.split('\n')[1]).toContain('  41.0k  41.0k  ')
    expect((await against({ turn: async () => record({ cold }) }, ['turns', 'show', 'req_1'])).out).toMatch(
      /Cache\s+41\.0k tokens cold, \$0\.11 more: message 3 was edited/,
    )
  })

  it('fit the terminal', async () => {
    const { out } = await against(
      { turns: async () => [record({ requestId: 'req_0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0' })] },
      ['turns'],
      { tty: { in: true, out: true, err: true, columns: 110 }, env: { NO_COLOR: '1' } },
    )
    for (const line of out.trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(110)
    expect(out).toContain('req_0b1c2d3e  ')
  })

  it('say that there are none', async () => {
    expect((await against({ turns: async () => [] }, ['turns'])).out).toBe('No turn is recorded yet.\n')
    expect((await against({ turns: async () => [record()] }, ['turns', '--failed'])).out).toContain('No turn failed')
  })

  it.each([[['--limit', '0']], [['--limit', '1001']], [['--limit', 'many']], [['--nonsense']], [['a', 'b']]])(
    'do not take %j',
    async (words) => {
      expect((await against({}, ['turns', ...words])).code).toBe(2)
    },
  )
})

describe('turns show', () => {
  const tried = [
    {
      at: sceneTime,
      provider: 'anth',
      model: 'claude-x',
      keyAlias: 'main',
      status: 529,
      code: 'refused',
      durationMs: 400,
    },
    {
      at: sceneTime,
      provider: 'x',
      model: 'y',
      keyAlias: null,
      status: null,
      code: 'upstream-timeout',
      durationMs: 30_000,
    },
  ]
  it('tells why, what was passed over and tried, and where the bodies are', async () => {
    const asked: string[] = []
    const { code, out } = await against(
      {
        turn: async (id) => {
          asked.push(id)
          return record({
            tried,
            dropped: ['top_k', 'metadata'],
            servertools: [
              { tool: 'clock', round: 1, ms: 4, bytes: 96, failure: null },
              { tool: 'web_fetch', round: 2, ms: 15_000, bytes: 0, failure: 'The page did not answer.' },
            ],
            captured: true,
            capturedIn: '/home/ada/.onward/sessions/x/captures/ses/req_1',
          })
        },
      },
      ['turns', 'show', 'req_1'],
    )
    expect(code).toBe(0)
    expect(asked).toEqual(['req_1'])
    for (const line of [
      /^ {2}Session +billing-service \(ses_0001\)$/m,
      /^ {2}Begun by +Onward’s followup$/m,
      /^ {2}Went to +glm\/glm-5, key main, route thinking$/m,
      /^ {2}Why +Route thinking: thinking is asked for\n {14,}glm\/glm-5 has served this session since/m,
      /^ {2}Passed over +anth\/claude-x: cooling down for 41 s after 3 failures$/m,
      /^ {2}Tried +anth\/claude-x \(key main\): 529, overloaded, after 0\.4 s\n +x\/y: no answer in time, after 30 s$/m,
      /^ {2}Tokens +48\.2k in, 41\.0k of them cached, 900 out, 300 of them reasoning$/m,
      /^ {2}Tools +clock, round 1: <0\.1 s, 96 B\n +web_fetch, round 2: failed after 15 s: The page did not answer\.$/m,
      /^ {2}Left out +top_k, metadata$/m,
      /^ {2}Bodies +\/home\/ada\/\.onward\/sessions\/x\/captures\/ses\/req_1$/m,
    ])
      expect(out).toMatch(line)
  })
  it('leaves out what there is not', async () => {
    const { by: _, turn: __, ...old } = broken
    const { out } = await against({ turn: async () => ({ ...old, sessionId: null }), sessions: async () => [] }, [
      'turns',
      'show',
      'req_2',
    ])
    for (const label of [
      'Session',
      'Begun by',
      'Went to',
      'Why',
      'Passed over',
      'Tried',
      'Tokens',
      'Cost',
      'Tools',
      'Left out',
      'Bodies',
    ])
      expect(out).not.toMatch(new RegExp(`^ {2}${label} `, 'm'))
    expect(out).toContain('Every provider refused.')
    expect(out).not.toContain('upstream-refused')
  })
  it('is the record for programs', async () => {
    expect(
      JSON.parse((await against({ turn: async () => record() }, ['turns', 'show', 'req_1', '--json'])).out),
    ).toEqual(record())
  })
  it.each<[string, string[], string | null]>([
    ['req_ab', ['req_abc', 'req_b'], 'req_abc'],
    ['req_a', ['req_abc', 'req_abd'], null],
    ['req_a', ['req_abc', 'req_a'], 'req_a'],
    ['req_old', ['req_abc'], 'req_old'],
  ])('%s among %j is %s', async (wanted, ids, found) => {
    const asked: string[] = []
    const { code } = await against(
      {
        turns: async () => ids.map((requestId) => record({ requestId })),
        turn: async (id) => {
          asked.push(id)
          return record()
        },
      },
      ['turns', 'show', wanted],
    )
    expect(asked).toEqual(found === null ? [] : [found])
    expect(code).toBe(found === null ? 5 : 0)
  })
  it('5 for a turn nobody knows', async () => {
    expect(
      await against(
        {
          turn: async () => {
            throw new OnwardError('turn-unknown', 'No turn req_9 is recorded here.')
          },
        },
        ['turns', 'show', 'req_9'],
      ),
    ).toMatchObject({ code: 5, err: 'onward: No turn req_9 is recorded here.\n' })
  })
})

describe('capture', () => {
  it.each([
    ['on', true, 'are kept from its next request on'],
    ['off', false, 'not kept any more'],
  ] as const)('%s', async (word, on, said) => {
    const asked: unknown[] = []
    const { code, out } = await against(
      {
        setCapture: async (...args) => {
          asked.push(args)
          return sampleSession(on ? { capture: true } : {})
        },
      },
      ['capture', 'billing', word],
    )
    expect(code).toBe(0)
    expect(asked).toEqual([[{ session: 'billing', on }]])
    expect(out).toContain('billing-service')
    expect(out).toContain(said)
  })
  it.each([[['billing']], [['billing', 'maybe']], [[]]])('does not take %j', async (words) => {
    expect((await against({}, ['capture', ...words])).code).toBe(2)
  })
  it('tells the session to programs', async () => {
    expect(
      JSON.parse(
        (
          await against({ setCapture: async () => sampleSession({ capture: true }) }, [
            'capture',
            'billing',
            'on',
            '--json',
          ])
        ).out,
      ),
    ).toMatchObject({ capture: true })
  })
})
