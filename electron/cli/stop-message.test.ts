import { describe, expect, it } from 'vitest'
import type { ControlApi } from '../../shared/operations/index.ts'
import type { EngineStatus, SessionView, StopMessageView } from '../../shared/state.ts'
import { OnwardError } from '../engine/base/errors.ts'
import { sampleSession, sampleStatus, sceneTime } from '../engine/control/testing/fake-control-api.ts'
import { cliHomes } from './testing/cli-homes.ts'
import { sampleCheck, sampleFolder, sampleGoal, sampleRun } from './testing/sample-goal.ts'

const { against } = cliHomes()
const budgets = { rounds: 100, hours: 8, noProgressRounds: 5, tokens: 2_000_000, costUsd: null }
const review = { backend: 'model', by: 'review', problem: null } as const
const goal: StopMessageView = {
  text: 'All tests green',
  used: 12,
  max: null,
  review: true,
  status: { kind: 'armed' },
  armedAt: sceneTime - 9_000_000,
  lastUsedAt: null,
  goal: sampleGoal(),
}

function engine(
  session: Partial<SessionView> = { stopMessage: goal },
  status: Partial<EngineStatus> = { budgets, review },
) {
  const asked: unknown[][] = []
  const view = sampleSession(session)
  const note =
    (name: string) =>
    async (...input: unknown[]) => {
      asked.push([name, ...input])
      return view
    }
  const api: Partial<ControlApi> = {
    status: async () => sampleStatus(status),
    session: note('session'),
    setStopMessage: note('set'),
    editStopMessage: note('edit'),
    addRounds: note('add'),
    startStopMessage: note('start'),
    carryOnStopMessage: note('carry-on'),
  }
  return { api, asked }
}
const factsOf = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s{2,}/))

describe('a goal', () => {
  it.each<[string[], unknown[]]>([
    [
      ['--goal', 'all green'],
      ['set', { session: 'b', text: 'all green', review: true }],
    ],
    [
      ['--goal', 'all green', '--rounds', '20'],
      ['set', { session: 'b', text: 'all green', rounds: 20, review: true }],
    ],
    [
      ['--goal', 'all green', '--no-review', '--rounds', 'unbounded'],
      ['set', { session: 'b', text: 'all green', rounds: null, review: false }],
    ],
    [
      ['all green', '--review'],
      ['set', { session: 'b', text: 'all green', review: true }],
    ],
    [
      ['--edit', 'docs too'],
      ['edit', { session: 'b', text: 'docs too' }],
    ],
    [
      ['--edit', '--goal', 'docs too'],
      ['edit', { session: 'b', text: 'docs too' }],
    ],
    [
      ['--edit', '--rounds', '40', '--no-review'],
      ['edit', { session: 'b', rounds: 40, review: false }],
    ],
    [
      ['--edit', '--rounds', 'unbounded'],
      ['edit', { session: 'b', rounds: null }],
    ],
    [['+10'], ['add', { session: 'b', rounds: 10 }]],
    [
      ['all green', '--now'],
      ['set', { session: 'b', text: 'all green', now: true }],
    ],
    [['--now'], ['start', 'b']],
    [['--carry-on'], ['carry-on', 'b']],
  ])('%j', async (words, call) => {
    const { api, asked } = engine()
    const { code, out } = await against(api, ['stop-message', 'b', ...words])
    expect({ code, asked }).toEqual({ code: 0, asked: [call] })
    expect(out).toContain('Goal')
    expect(JSON.parse((await against(api, ['stop-message', 'b', ...words, '--json'])).out)).toEqual(
      sampleSession({ stopMessage: goal }),
    )
  })
  it.each<[string[], string]>([
    [['--edit'], 'What is to change?'],
    [['text', '--goal', 'goal'], 'A text or --goal, not both.'],
    [['+0'], 'A number of rounds is a whole number from 1, not “0”.'],
    [['+10', '--rounds', '3'], 'One thing at a time'],
    [['--add', '3', '--edit'], 'One thing at a time'],
    [['--clear', '--goal', 'x'], 'One thing at a time'],
    [['--edit', '--rounds', '3', '--now'], 'One thing at a time'],
    [['--clear', '--now'], 'One thing at a time'],
    [['--carry-on', '--now'], 'One thing at a time'],
  ])('%j is not understood', async (words, sentence) => {
    const { api, asked } = engine()
    expect(await against(api, ['stop-message', 'b', ...words])).toMatchObject({
      code: 2,
      err: expect.stringContaining(sentence),
    })
    expect(asked).toEqual([])
  })
  it('says of one that was set in another conversation what may be answered', async () => {
    const leftGoal = { sessionId: 's0', text: 'All tests green', used: 3, max: 10 }
    const say = { code: 'left-goal', text: leftGoal.text } as const
    const { api } = engine({ stopMessage: null, leftGoal, say, shape: 'needs' })
    const { out } = await against(api, ['stop-message', 'b'])
    expect(out).toContain('Carry on here? The goal “All tests green” was set in the conversation before')
    expect(factsOf(out).slice(0, 3)).toEqual([
      ['Set before', 'All tests green (3/10)'],
      ['Carry on here', 'onward stop-message b --carry-on'],
      ['End it', 'onward stop-message b --clear'],
    ])
  })
  it('says of an idle agent that it goes on when the next turn ends, and how it starts at once', async () => {
    const idle = engine({ stopMessage: goal, say: { code: 'armed' }, shape: 'idle' }).api
    const at = 'Goes on  when the next turn ends; at once: onward stop-message'
    expect((await against(idle, ['stop-message', 'b', 'go on'])).out.replace(/ {3,}/g, '  ')).toContain(`${at} b --now`)
    expect((await against(idle, ['stop-message', 'my app'])).out.replace(/ {3,}/g, '  ')).toContain(
      `${at} 'my app' --now`,
    )
    const failed = {
      code: 'turn-failed',
      provider: 'zai',
      status: 529,
      message: '',
      since: sceneTime,
      tries: 1,
      tried: [],
    } as const
    const gaveUp = engine({ stopMessage: goal, say: failed, shape: 'failed' }).api
    expect((await against(gaveUp, ['stop-message', 'b'])).out.replace(/ {3,}/g, '  ')).toContain(`${at} b --now`)
    const works = engine({ stopMessage: goal, say: { code: 'working', turn: 3, since: sceneTime } }).api
    expect((await against(works, ['stop-message', 'b', 'go on'])).out).not.toContain('--now')
  })
  it('can’t be edited where none is armed', async () => {
    const none = {
      ...engine().api,
      editStopMessage: async () => {
        throw new OnwardError('nothing-armed', 'Nothing is armed here.')
      },
    }
    expect(await against(none, ['stop-message', 'b', '--edit', '--rounds', '3'])).toMatchObject({
      code: 4,
      err: 'onward: Nothing is armed here.\n',
    })
  })
})

describe('a goal that is shown', () => {
  const show = async (session: Partial<SessionView>, status?: Partial<EngineStatus>) =>
    factsOf((await against(engine(session, status).api, ['stop-message', 'b'])).out)

  it('has its guards with what is left, its checks, the latest review, and the reviewer’s cost', async () => {
    expect(await show({ stopMessage: goal })).toEqual([
      ['Goal', 'All tests green'],
      ['Rounds', '12/∞'],
      ['Review', 'on, by the route review'],
      ['Asks you after', '100 rounds, 12 so far, 88 left'],
      ['8 h, 1 h 14 min so far, 6 h 46 min left'],
      ['5 rounds without progress, 0 so far, 5 left'],
      ['2.0M tokens, 1.1M so far, 919k left'],
      ['Spent', '941k tokens, $1.32'],
      ['Reviewer spent', '140k tokens, $0.24'],
      ['Checks', 'tests fails'],
      ['Latest review', expect.stringMatching(/^of round 12, \d\d:\d\d$/)],
      [
        'Reviewer',
        'Not done: tests fails. Two refund tests fail on half cents. (zai/glm-5, 38 s, 11.9k tokens, $0.02)',
      ],
      ['Evidence', 'Refunds round up: Math.round (file:rounding.ts:40-88)'],
      ['Blockers', 'run_failed: tests are red'],
      ['Ran', 'Check tests fails: 2 of 214 fail'],
    ])
  })
  it.each<[string, Partial<StopMessageView>, string[][]]>([
    [
      'N rounds with a reviewer',
      { max: 30 },
      [
        ['Rounds', '12/30'],
        ['Asks you after', '8 h, 1 h 14 min so far, 6 h 46 min left'],
      ],
    ],
    [
      'a text without a reviewer',
      { review: false },
      [
        ['Text', 'All tests green'],
        ['Review', 'off'],
      ],
    ],
  ])('%s', async (_what, more, expected) => {
    expect(await show({ stopMessage: { ...goal, ...more } })).toEqual(expect.arrayContaining(expected))
  })
  it('has no guards where N rounds were asked for and nobody reviews, and no reviewer’s cost', async () => {
    const labels = (await show({ stopMessage: { ...goal, max: 30, review: false } })).map(([label]) => label)
    expect(labels).not.toContain('Asks you after')
    expect(labels).not.toContain('Reviewer spent')
  })
  it.each<[EngineStatus['review'], string[][]]>([
    [{ backend: 'model', by: 'zai.glm-5', problem: null }, [['Review', 'on, by zai/glm-5']]],
    [{ backend: 'command', by: 'codex', problem: null }, [['Review', 'on, by codex']]],
    [
      { backend: 'model', by: 'review', problem: 'there is no route' },
      [['Review', 'on, by the route review'], ['It can’t review: there is no route']],
    ],
    [undefined, [['Review', 'on']]],
  ])('by %j', async (by, expected) => {
    expect(await show({ stopMessage: goal }, { budgets, review: by })).toEqual(expect.arrayContaining(expected))
  })
  it('says of each check how it stands', async () => {
    const checks = sampleFolder([
      sampleCheck({ last: sampleRun({ outcome: 'passed' }) }),
      sampleCheck({ name: 'a', running: true }),
      sampleCheck({ name: 'b', last: null }),
      sampleCheck({ name: 'c', last: null, approval: 'not-approved' }),
    ])
    const shown = await show({ stopMessage: { ...goal, goal: sampleGoal({ checks, latest: null }) } })
    expect(shown.slice(-4)).toEqual([
      ['Checks', 'tests passes'],
      ['a is running'],
      ['b never ran'],
      ['c waits for your approval'],
    ])
  })
  it('says what was spent where nobody knows the price', async () => {
    const spent = sampleGoal({ spent: { tokens: 1_200, costUsd: null }, reviewSpent: { tokens: 1, costUsd: null } })
    expect(
      await show({ stopMessage: { ...goal, goal: spent } }, { budgets: { ...budgets, costUsd: 5 }, review }),
    ).toEqual(expect.arrayContaining([['$5.00, what was spent is not known'], ['Spent', '1.2k tokens']]))
  })
  it('says that it was more where a part has no price', async () => {
    const spent = sampleGoal({
      spent: { tokens: 1_200, costUsd: 2, unpricedTokens: 200 },
      reviewSpent: { tokens: 900, costUsd: null, unpricedTokens: 900 },
    })
    expect(
      await show({ stopMessage: { ...goal, goal: spent } }, { budgets: { ...budgets, costUsd: 5 }, review }),
    ).toEqual(
      expect.arrayContaining([
        ['$5.00, ≥ $2.00 so far, ≤ $3.00 left'],
        ['Spent', '1.2k tokens, ≥ $2.00'],
        ['Reviewer spent', '900 tokens, no price'],
      ]),
    )
  })
  it('is no more, and how to set it again; or never was', async () => {
    expect(
      await show({
        stopMessage: null,
        lastStopMessage: { text: 'green', used: 3, max: 3, review: true, clearedAt: sceneTime, clearedBy: 'user' },
      }),
    ).toEqual([
      ['Cleared', 'green'],
      ['Again', 'onward stop-message … --rearm'],
    ])
    expect(await show({ stopMessage: null })).toEqual([['Not set', 'onward stop-message … "go on" --rounds 10']])
  })
})
