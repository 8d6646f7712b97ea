import { describe, expect, it } from 'vitest'
import type { AlarmsView, MissedAlarm } from '../../shared/alarms/alarms.ts'
import type { ControlApi } from '../../shared/operations/index.ts'
import { OnwardError } from '../engine/base/errors.ts'
import { readTime } from '../engine/clock/read-time/read-time.ts'
import { sampleAlarm, sampleStatus, sceneTime } from '../engine/control/testing/fake-control-api.ts'
import { cliHomes } from './testing/cli-homes.ts'

const zone = 'Europe/Berlin'
const id = '3f2a91bc-0000-4000-8000-000000000001'
const alarm = sampleAlarm({ taskId: id })
const missed = (more: Partial<MissedAlarm> = {}): MissedAlarm => ({
  key: `${id}@1`,
  taskId: id,
  sessionId: 'ses_0001',
  sessionName: 'billing-service',
  dueAt: sceneTime - 3_600_000,
  task: 'check CI',
  setBy: 'model',
  why: 'expired',
  at: sceneTime - 2_400_000,
  ...more,
})
const view = (more: Partial<AlarmsView> = {}): AlarmsView => ({
  waiting: 1,
  alarms: [alarm],
  missed: [],
  missedTotal: 0,
  history: [],
  zone,
  retentionMs: 1_200_000,
  ...more,
})

/** An engine whose alarms are these, and what it was asked for. Times are read as the real one reads them. */
function engine(more: Partial<ControlApi> = {}, alarms: AlarmsView = view()) {
  const asked: unknown[][] = []
  const note =
    <Answer>(name: string, answer: Answer) =>
    async (...input: unknown[]) => {
      asked.push([name, ...input])
      return answer
    }
  const api: Partial<ControlApi> = {
    alarms: async () => alarms,
    readTime: async (text) => readTime(text, sceneTime, zone),
    addAlarm: note('add', alarm),
    editAlarm: note('edit', alarm),
    snoozeAlarm: note('snooze', alarm),
    cancelAlarm: note('cancel', undefined),
    restoreAlarm: note('restore', alarm),
    settleMissed: note('settle', undefined),
    dismissAllMissed: note('dismissAll', undefined),
    alarmsOf: note('of', [alarm]),
    ...more,
  }
  return { api, asked }
}
const { against } = cliHomes()
const said =
  '✓ Rings in 18 min: re-run the flaky suite\n  At       2026-11-21T15:30:00+01:00, ' +
  `${zone}\n  Session  billing-service\n  Id       3f2a91bc\n`

describe('alarm add', () => {
  it.each([
    [['in 20 min', 'check', 'CI'], sceneTime + 1_200_000, 'check CI'],
    [['tomorrow 9:00', 'rebase on main'], Date.parse('2026-11-22T09:00:00+01:00'), 'rebase on main'],
    [['fri 5pm New York', 'rebase on main'], Date.parse('2026-11-27T17:00:00-05:00'), 'rebase on main'],
    [['明天9点', '继续'], Date.parse('2026-11-22T09:00:00+01:00'), '继续'],
    [['--at', '2026-11-25T14:30:00+01:00', 'call it a day'], Date.parse('2026-11-25T14:30:00+01:00'), 'call it a day'],
    [['check', 'CI', '--at', '20 min'], sceneTime + 1_200_000, 'check CI'],
    [['18:00', '-'], Date.parse('2026-11-21T18:00:00+01:00'), 'from stdin\ntwo lines'],
  ])('%j', async (words, dueAt, task) => {
    const { api, asked } = engine()
    const { code, out } = await against(api, ['alarm', 'add', 'billing', ...words], {
      readStdin: async () => 'from stdin\ntwo lines\n',
    })
    expect({ code, asked }).toEqual({ code: 0, asked: [['add', { session: 'billing', dueAt, task }]] })
    expect(out).toBe(said)
  })
  it('tells the time that was asked for, though a moment has passed since it was read', async () => {
    const { api } = engine({ addAlarm: async ({ dueAt }) => ({ ...alarm, dueAt }) })
    expect(
      (await against(api, ['alarm', 'add', 'billing', 'in 20 min', 'x'], { now: () => sceneTime + 900 })).out,
    ).toMatch(/^✓ Rings in 20 min: /)
  })
  it('is one JSON document for programs', async () => {
    expect(JSON.parse((await against(engine().api, ['alarm', 'add', 'billing', '9:00', 'x', '--json'])).out)).toEqual(
      alarm,
    )
  })
  it.each([
    [['in 20 minx', 'x'], 'onward: “minx” in “in 20 minx” is not understood.\nTry “in 20 min”'],
    [['25:00', 'x'], 'onward: No time is found in “25:00”.\n'],
    [['9:00 CST', 'x'], 'onward: “CST” in “9:00 CST” means two things.\n'],
    [['this weekend', 'x'], 'onward: “this weekend” in “this weekend” is no exact time.\n'],
    [['every year', 'x'], "onward: “every year” in “every year” can't be repeated: say “every day at 9”"],
    [['every minute', 'x'], 'onward: “every minute” in “every minute” is too often'],
    [['daily 9, 2000 times', 'x'], 'onward: “2000 times” in “daily 9, 2000 times” is too many'],
    [['daily 9 until yesterday', 'x'], 'onward: “yesterday” in “daily 9 until yesterday” is before its first time'],
    [['9'.repeat(600), 'x'], 'onward: No time is found in “9999'],
    [['', 'x'], 'onward: No time was given.'],
    [
      ['today 9:00', 'x'],
      'onward: “today 9:00” is over: that was 2026-11-21T09:00:00+01:00. An alarm needs a time to come.',
    ],
    [['9:00'], 'onward: An alarm needs words'],
    [['9:00', ' '], 'onward: An alarm needs words'],
    [['--at', '9:00'], 'onward: An alarm needs words'],
    [[], 'onward: When?'],
  ])('refuses %j and sets nothing', async (words, sentence) => {
    const { api, asked } = engine()
    const { code, err } = await against(api, ['alarm', 'add', 'billing', ...words])
    expect({ code, asked }).toEqual({ code: 2, asked: [] })
    expect(err).toContain(sentence)
  })
  it.each([
    ['clock-off', 4],
    ['store-failed', 4],
    ['session-unknown', 5],
    ['session-ambiguous', 5],
  ])('ends as the engine refuses: %s', async (refusal, exit) => {
    const { api } = engine({
      addAlarm: async () => {
        throw new OnwardError(refusal, 'It can’t be.')
      },
    })
    expect(await against(api, ['alarm', 'add', 'billing', '9:00', 'x'])).toMatchObject({
      code: exit,
      err: 'onward: It can’t be.\n',
    })
  })
})

const repeat = {
  rule: { kind: 'days' as const, weekdays: [0, 1, 2, 3, 4, 5, 6], hour: 9, minute: 0 },
  zone,
  times: 30,
  untilMs: Date.parse('2026-12-21T09:00:00+01:00'),
}

describe('alarms that repeat', () => {
  it.each([
    ['add', ['billing', 'every day at 9', 'check CI'], { session: 'billing', task: 'check CI' }],
    ['edit', [id, '--at', 'every day at 9'], { alarm: id }],
  ])('%s', async (command, words, asks) => {
    const dueAt = Date.parse('2026-11-22T09:00:00+01:00')
    const set = sampleAlarm({ taskId: id, dueAt, repeat: { ...repeat, nth: 1 } })
    const given: unknown[] = []
    const note = async (input: unknown) => {
      given.push(input)
      return set
    }
    const { api } = engine({ addAlarm: note, editAlarm: note })
    const { out } = await against(api, ['alarm', command, ...words])
    expect(given).toEqual([{ ...asks, dueAt, repeat }])
    expect(out).toContain('  Repeats  every day at 9:00 until Monday 21 December, 30 times\n')
  })
  it('are listed with where they have come to', async () => {
    const set = sampleAlarm({ repeat: { ...repeat, nth: 2 } })
    expect((await against(engine({}, view({ alarms: [alarm, set] })).api, ['alarm', 'list'])).out).toContain(
      'every day at 9:00, 2 of 30',
    )
  })
  it.each([
    [sampleAlarm({ taskId: id, repeat: { ...repeat, nth: 2 } }), /^✓ Rings in 18 min: [^]*every day at 9:00/],
    [null, /^✓ That was the last: .*onward alarm restore 3f2a\n$/],
  ])('leave out one time', async (next, said) => {
    const { api } = engine({ skipAlarm: async () => next })
    expect((await against(api, ['alarm', 'skip', '3f2a'])).out).toMatch(said)
  })
  it('are one time for a missed one', async () => {
    const { api } = engine({}, view({ missed: [missed({ times: 3 })], missedTotal: 1 }))
    expect((await against(api, ['alarm', 'missed'])).out).toContain('3 times: no agent took it in time')
    expect((await against(api, ['alarm', 'missed', '--reschedule', '3f2a', '--at', 'every day at 9'])).err).toContain(
      '“every day at 9” comes again and again, and one time is wanted here.',
    )
  })
})

describe('alarm list', () => {
  const alarms = [
    sampleAlarm({
      taskId: '10000000-a',
      dueAt: sceneTime - 120_000,
      state: { kind: 'delivered', at: sceneTime - 100_000 },
      setBy: 'model',
    }),
    sampleAlarm({ taskId: '20000000-b', dueAt: sceneTime - 60_000, task: 'look at\nthe logs', setBy: 'model' }),
    sampleAlarm({ taskId: '30000000-c', dueAt: sceneTime, state: { kind: 'under-way', route: 'terminal' } }),
    alarm,
    sampleAlarm({ taskId: '40000000-d', dueAt: Date.parse('2026-11-23T09:00:00+01:00'), sessionName: '落地页' }),
  ]
  it('has countdown, time in the engine’s zone, text, session, who set it, and the id', async () => {
    const { out, code } = await against(engine({}, view({ alarms, waiting: 4 })).api, ['alarm', 'list'])
    expect(code).toBe(0)
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => line.trim().split(/\s{2,}/)),
    ).toEqual([
      ['✓', 'delivered', '15:10', 're-run the flaky suite', 'billing-service', 'model', '10000000'],
      ['○ 1 min late', '15:11', expect.stringMatching(/^look at.the logs$/u), 'billing-service', 'model', '20000000'],
      ['◐ on its way', '15:12', 're-run the flaky suite', 'billing-service', 'you', '30000000'],
      ['○', 'in 18 min', '15:30', 're-run the flaky suite', 'billing-service', 'you', '3f2a91bc'],
      ['○', 'in 41 h', '23 November 09:00', 're-run the flaky suite', '落地页', 'you', '40000000'],
    ])
  })
  it('is what `alarm` alone shows, and tells what is not in it', async () => {
    const { out } = await against(engine({}, view({ waiting: 501, missedTotal: 2 })).api, ['alarm'])
    expect(out).toContain('500 more wait')
    expect(out).toContain('▲ 2 missed. See them: onward alarm missed')
  })
  it('can be of one session', async () => {
    const { api, asked } = engine()
    expect((await against(api, ['alarm', 'list', 'billing'])).out).toContain('3f2a91bc')
    expect(asked).toEqual([['of', 'billing']])
    expect(
      (
        await against(
          engine({
            alarmsOf: async () => {
              throw new OnwardError('session-unknown', 'There is no session “x”.')
            },
          }).api,
          ['alarm', 'list', 'x'],
        )
      ).code,
    ).toBe(5)
  })
  it('says how to set one when there is none', async () => {
    expect((await against(engine({}, view({ alarms: [], waiting: 0 })).api, ['alarm', 'list'])).out).toBe(
      'No alarm is set. Set one: onward alarm add <session> "in 20 min" "check CI"\n',
    )
  })
  it('is a JSON array for programs', async () => {
    expect(JSON.parse((await against(engine({}, view({ alarms })).api, ['alarm', 'list', '--json'])).out)).toEqual(
      alarms,
    )
    expect(JSON.parse((await against(engine().api, ['alarm', 'list', 'billing', '--json'])).out)).toEqual([alarm])
  })
})

describe('alarm edit, snooze, cancel and restore', () => {
  it.each<[string[], unknown[]]>([
    [
      ['edit', '3f2a', '--at', 'tomorrow 9:00'],
      ['edit', { alarm: '3f2a', dueAt: Date.parse('2026-11-22T09:00:00+01:00') }],
    ],
    [
      ['edit', '3f2a', '--text', 'other words'],
      ['edit', { alarm: '3f2a', task: 'other words' }],
    ],
    [
      ['edit', '3f2a', '--text', 'x', '--at', '1h'],
      ['edit', { alarm: '3f2a', dueAt: sceneTime + 3_600_000, task: 'x' }],
    ],
    [
      ['snooze', '3f2a'],
      ['snooze', { alarm: '3f2a', minutes: 10 }],
    ],
    [
      ['snooze', '3f2a', '--for', '1h30'],
      ['snooze', { alarm: '3f2a', minutes: 90 }],
    ],
    [
      ['snooze', '3f2a', '--for', '半小时'],
      ['snooze', { alarm: '3f2a', minutes: 30 }],
    ],
    [
      ['snooze', '3f2a', '--for', 'in an hour'],
      ['snooze', { alarm: '3f2a', minutes: 60 }],
    ],
    [
      ['snooze', '3f2a', '--for', '25'],
      ['snooze', { alarm: '3f2a', minutes: 25 }],
    ],
    [
      ['snooze', '3f2a', '--for', '2 days'],
      ['snooze', { alarm: '3f2a', minutes: 2880 }],
    ],
    [
      ['restore', '3f2a'],
      ['restore', '3f2a'],
    ],
  ])('%j', async (words, call) => {
    const { api, asked } = engine()
    expect(await against(api, ['alarm', ...words])).toMatchObject({ code: 0, out: said })
    expect(asked).toEqual([call])
    expect(JSON.parse((await against(api, ['alarm', ...words, '--json'])).out)).toEqual(alarm)
  })
  it('a cancel says how to take it back', async () => {
    const { api, asked } = engine()
    expect(await against(api, ['alarm', 'cancel', '3f2a'])).toMatchObject({
      code: 0,
      out: '✓ Cancelled: re-run the flaky suite in billing-service. Take it back: onward alarm restore 3f2a91bc\n',
    })
    expect(asked).toEqual([['cancel', '3f2a']])
    expect(JSON.parse((await against(api, ['alarm', 'cancel', '3f2a', '--json'])).out)).toEqual({ cancelled: id })
  })
  it('of an alarm far down in the list, too', async () => {
    expect((await against(engine({}, view({ alarms: [] })).api, ['alarm', 'cancel', '77aa'])).out).toBe(
      '✓ Cancelled: 77aa. Take it back: onward alarm restore 77aa\n',
    )
  })
  it.each([
    [['edit', '3f2a'], 'What is to change?'],
    [['edit', '3f2a', '--text', ' '], 'An alarm needs words'],
    [['edit', '3f2a', '--at', 'soon'], '“soon” in “soon” is no exact time.'],
    ...['0', '8 days', 'tomorrow', '10 min ago', '1 month', ''].map((text): [string[], string] => [
      ['snooze', '3f2a', '--for', text],
      `not “${text}”`,
    ]),
    [['cancel'], 'missing required argument'],
  ])('%j is refused', async (words, sentence) => {
    const { api, asked } = engine()
    const { code, err } = await against(api, ['alarm', ...words])
    expect({ code, asked }).toEqual({ code: 2, asked: [] })
    expect(err).toContain(sentence)
  })
  it.each([
    ['alarm-unknown', 5],
    ['alarm-ambiguous', 5],
    ['alarm-under-way', 4],
    ['alarm-over', 4],
  ])('end as the engine refuses: %s', async (refusal, exit) => {
    const no = async () => {
      throw new OnwardError(refusal, 'It can’t be.')
    }
    const { api } = engine({ editAlarm: no, snoozeAlarm: no, cancelAlarm: no, restoreAlarm: no })
    for (const words of [
      ['edit', 'x', '--text', 'y'],
      ['snooze', 'x'],
      ['cancel', 'x'],
      ['restore', 'x'],
    ])
      expect(await against(api, ['alarm', ...words])).toMatchObject({
        code: exit,
        out: '',
        err: 'onward: It can’t be.\n',
      })
  })
})

describe('alarm missed', () => {
  const other = '99990000-0000-4000-8000-000000000002'
  const all = view({
    missed: [
      missed(),
      missed({ key: `${other}@1`, taskId: other, why: 'failed', setBy: 'user' }),
      missed({ key: `${other}@2`, taskId: other, why: 'unknown' }),
    ],
    missedTotal: 205,
  })

  it('lists them, with why', async () => {
    const { out } = await against(engine({}, all).api, ['alarm', 'missed'])
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/\s{2,}/)),
    ).toEqual([
      ['▲ 14:12', 'check CI', 'no agent took it in time', 'billing-service', 'model', '3f2a91bc'],
      ['▲ 14:12', 'check CI', 'its terminal did not take it', 'billing-service', 'you', '99990000'],
      ['▲ 14:12', 'check CI', 'cut off: it may have arrived', 'billing-service', 'model', '99990000'],
      ['and 202 older'],
    ])
    expect(JSON.parse((await against(engine({}, all).api, ['alarm', 'missed', '--json'])).out)).toEqual(all.missed)
    expect((await against(engine().api, ['alarm', 'missed'])).out).toBe('Nothing was missed.\n')
  })
  it.each<[string[], unknown[], string, unknown]>([
    [
      ['--deliver', '3f2a'],
      ['settle', { missed: `${id}@1`, how: { kind: 'deliver' } }],
      '✓ On its way: “check CI” in billing-service.\n',
      { delivered: `${id}@1` },
    ],
    [
      ['--dismiss', `${other}@1`],
      ['settle', { missed: `${other}@1`, how: { kind: 'dismiss' } }],
      '✓ Dismissed: “check CI” in billing-service.\n',
      { dismissed: `${other}@1` },
    ],
    [['--dismiss-all'], ['dismissAll'], '✓ Dismissed 205 missed alarms.\n', { dismissed: 205 }],
    [
      ['--reschedule', '3f2a', '--at', 'tomorrow 9:00'],
      ['settle', { missed: `${id}@1`, how: { kind: 'reschedule', dueAt: Date.parse('2026-11-22T09:00:00+01:00') } }],
      `✓ Rings at 2026-11-22T09:00:00+01:00, ${zone}: “check CI” in billing-service.\n`,
      { rescheduled: `${id}@1`, at: Date.parse('2026-11-22T09:00:00+01:00') },
    ],
  ])('%j', async (words, call, out, json) => {
    const { api, asked } = engine({}, all)
    expect(await against(api, ['alarm', 'missed', ...words])).toMatchObject({ code: 0, out })
    expect(asked).toEqual([call])
    expect(JSON.parse((await against(api, ['alarm', 'missed', ...words, '--json'])).out)).toEqual(json)
  })
  it.each<[string[], number, string]>([
    [['--deliver', 'beef'], 5, 'No missed alarm begins with “beef”'],
    [['--deliver', ''], 5, 'No missed alarm begins with “”'],
    [['--dismiss', '9999'], 5, `2 missed alarms begin with “9999”: ${other}@1, ${other}@2.`],
    [['--dismiss', '3f2a', '--dismiss-all'], 2, 'One thing at a time'],
    [['--reschedule', '3f2a'], 2, '--reschedule and --at go together'],
    [['--at', '9:00'], 2, '--reschedule and --at go together'],
    [['--reschedule', '3f2a', '--at', 'today 9:00'], 2, '“today 9:00” is over'],
  ])('%j is refused', async (words, exit, sentence) => {
    const { api, asked } = engine({}, all)
    const { code, err } = await against(api, ['alarm', 'missed', ...words])
    expect({ code, asked }).toEqual({ code: exit, asked: [] })
    expect(err).toContain(sentence)
  })
  it('that was settled meanwhile is said so', async () => {
    const { api } = engine(
      {
        settleMissed: async () => {
          throw new OnwardError('missed-unknown', 'This missed alarm was settled already.')
        },
      },
      all,
    )
    expect(await against(api, ['alarm', 'missed', '--dismiss', '3f2a'])).toMatchObject({
      code: 5,
      err: 'onward: This missed alarm was settled already.\n',
    })
  })
})

describe('what an alarm says', () => {
  it('can’t move the cursor by its text or its session’s name', async () => {
    const nasty = sampleAlarm({ taskId: id, task: 'x\u001b]0;owned\u0007\r\ny', sessionName: 'a\u001b[2J' })
    for (const words of [['list'], ['cancel', '3f2a'], ['snooze', '3f2a']]) {
      const { out } = await against(engine({ snoozeAlarm: async () => nasty }, view({ alarms: [nasty] })).api, [
        'alarm',
        ...words,
      ])
      // eslint-disable-next-line no-control-regex -- that is the point
      expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    }
  })
  it('is in the language of the settings where the engine has the words', async () => {
    const { out } = await against({ ...engine().api, status: async () => sampleStatus({ language: 'zh-CN' }) }, [
      'alarm',
      'list',
    ])
    expect(out).toContain('18 分钟')
  })
})
