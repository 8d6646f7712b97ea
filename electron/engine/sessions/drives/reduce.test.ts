import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OwnDrive } from '../../../../shared/drives.ts'
import { runs } from '../../../../shared/testing/runs.ts'
import { cronTimes } from './cron.ts'
import { happened, kept, observe, withHistory, type DriveStep, type Observation } from './reduce.ts'

const minute = 60_000
const at = new Date(2026, 10, 29, 11, 24, 0).getTime()
const look = (after = 0, live = true): Observation => ({ at: at + after, live, version: '2.1.332' })
let calls = 0
const call = (name: string, args: unknown, result: string, id = `call-${++calls}`): DriveStep => ({
  type: 'call',
  id,
  name,
  arguments: JSON.stringify(args),
  result,
})
const said = (...texts: string[]): DriveStep => ({ type: 'message', texts })

// As Claude Code 2.1.332 sent them; longer sentences are cut.
const shell = (id: string) =>
  call('Bash', { command: 'npm run dev', run_in_background: true }, `Command running in background with ID: ${id}. x`)
const agent = (id: string) =>
  call('Agent', { description: 'Counts parts' }, `Async agent launched successfully. (x)\nagentId: ${id} (internal ID)`)
const cron = (id: string, prompt = 'check the deploy') =>
  call(
    'CronCreate',
    { cron: '*/1 * * * *', prompt, recurring: true },
    `Scheduled recurring job ${id} (Every minute). Next run: Nov 29 11:25am. Session-only`,
  )
const once = (id: string, prompt = 'once only') =>
  call(
    'CronCreate',
    { cron: '26 11 29 11 *', prompt, recurring: false },
    `Scheduled one-shot task ${id} (26 11 29 11 *). Next run: Nov 29 11:26am.`,
  )
const wakeup = (seconds = 119, prompt = 'look at the build') =>
  call(
    'ScheduleWakeup',
    { delaySeconds: 60, reason: 'build', prompt },
    `Next wakeup scheduled for 11:26:00 (in ${seconds}s). If you owe`,
  )
const notified = (id: string, status: string) =>
  said(
    `<system-reminder>\n<task-notification>\n<task-id>${id}</task-id>\n<tool-use-id>t</tool-use-id>\n` +
      `<status>${status}</status>\n</task-notification>\n</system-reminder>`,
  )
const jobs = (...ids: string[]) =>
  call(
    'CronList',
    {},
    ids.map((id) => `${id} — Every minute (recurring) [session-only]: x`).join('\n') || 'No scheduled jobs.',
  )

const after = (steps: readonly DriveStep[], from: readonly OwnDrive[] = [], live = true) =>
  steps.reduce((drives, step, i) => observe('claude', drives, step, look(i, live)), from)
const one = (drives: readonly OwnDrive[], id: string) => drives.find((drive) => drive.id === id)

describe('what Claude Code sets itself', () => {
  it('is a row each, with its words, its time and where it was seen', () => {
    const drives = after([shell('b1'), agent('a1'), cron('c1'), wakeup(), once('c2')])
    expect(drives).toMatchObject([
      { kind: 'command', id: 'b1', what: 'npm run dev', since: at, source: 'Bash', version: '2.1.332' },
      { kind: 'agent', id: 'a1', what: 'Counts parts' },
      {
        kind: 'schedule',
        id: 'c1',
        what: 'check the deploy',
        once: false,
        next: at + minute,
        latest: at + 1.5 * minute,
      },
      { kind: 'wakeup', what: 'look at the build', next: at + 3 + 119_000 },
      { kind: 'schedule', id: 'c2', once: true, next: at + 2 * minute, latest: at + 2 * minute },
    ])
    expect(new Set(drives.map(({ state }) => state.is))).toEqual(new Set(['on']))
  })

  it('comes: a prompt of one time is over with it, another waits for its next', () => {
    const drives = after([cron('c1'), once('c2'), said('check the deploy')])
    expect(one(drives, 'c1')).toMatchObject({ works: true, state: { is: 'on' } })
    const both = after([said('once only')], drives)
    expect(one(both, 'c2')).toMatchObject({ works: true, next: null, state: { is: 'over', how: 'fired' } })
    expect(after([said('and now this')], both).some(({ works }) => works)).toBe(false)
  })

  it('ends by its notification, by a call, or by a list that leaves it out', () => {
    expect(one(after([shell('b1'), notified('b1', 'completed')]), 'b1')?.state.is).toBe('over')
    expect(one(after([cron('c1'), call('CronDelete', { id: 'c1' }, 'Cancelled job c1.')]), 'c1')?.state).toMatchObject({
      is: 'over',
      how: 'cleared',
    })
    const listed = after([cron('c1'), cron('c2', 'x'), jobs('c2')])
    expect([one(listed, 'c1')?.state.is, one(listed, 'c2')?.state.is]).toEqual(['over', 'on'])
    expect(one(after([cron('c1'), jobs()]), 'c1')?.state.is).toBe('over')
  })

  it('is not known any more once its agent ended, until a word of it comes', () => {
    const gone = happened(after([shell('b1'), cron('c1')]), { type: 'agent-ended' }, look())
    expect(gone.map(({ state }) => state.is)).toEqual(['unknown', 'unknown'])
    const again = after([notified('b1', 'stopped'), said('check the deploy')], gone)
    expect(again.map(({ state }) => state.is)).toEqual(['over', 'on'])
  })

  it('is stopped where it ends after a person stopped it', () => {
    const stopping = after([cron('c1')]).map((d) => ({ ...d, state: { is: 'stopping', at } as const }))
    const comes = after([said('check the deploy')], stopping)
    expect(comes).toMatchObject([{ works: true, state: { is: 'stopping' } }])
    expect(after([call('CronDelete', { id: 'c1' }, 'Cancelled job c1.')], comes)).toMatchObject([
      { state: { is: 'stopped', how: 'by-agent' } },
    ])
  })

  it('of a loop ends with the turn that does not arm it again', () => {
    const loop = after([wakeup(70, '/loop look at the build')])
    expect(loop).toMatchObject([{ kind: 'loop', what: 'look at the build', armed: true }])
    const command = said('<command-message>loop</command-message>\n<command-name>/loop</command-name>')
    const woken = after([command], loop)
    expect(happened(woken, { type: 'stopped' }, look())).toMatchObject([{ state: { is: 'over', how: 'ended' } }])
    const armed = after([wakeup(80, '/loop look at the build')], woken)
    expect(happened(armed, { type: 'stopped' }, look())).toMatchObject([{ armed: true, state: { is: 'on' } }])
  })
})

describe('a goal of Claude Code', () => {
  const set = said('A session-scoped Stop hook is now active with condition: "the tests pass". Briefly …')
  const feedback = said('Stop hook feedback:\n[the tests pass]: two tests still fail')

  it('has its words, and is not known any more once a message came and nothing of it', () => {
    const goal = after([said('hello'), set, feedback])
    expect(goal).toMatchObject([{ kind: 'goal', what: 'the tests pass', works: true, state: { is: 'on' } }])
    const quiet = after([said('now the docs')], goal)
    expect(quiet).toMatchObject([{ works: undefined, state: { is: 'unknown', why: 'quiet' } }])
    expect(after([feedback], quiet)).toMatchObject([{ what: 'the tests pass', state: { is: 'on' } }])
  })

  it('may have died at a compaction or an error, and ends when it is cleared', () => {
    const goal = after([set])
    for (const why of ['compaction', 'failed'] as const)
      expect(happened(goal, { type: 'goal-doubted', why }, look())).toMatchObject([{ state: { is: 'unknown', why } }])
    const cleared = said('<local-command-stdout>Goal cleared: the tests pass</local-command-stdout>')
    expect(after([cleared], goal)).toMatchObject([{ state: { is: 'over', how: 'cleared' } }])
  })
})

describe('spend', () => {
  const cost = { tokens: 10, costUsd: 0.5 }
  it('is that of the turns a drive began, and of a sub-agent’s requests', () => {
    const begun = happened([], { type: 'sub-agent', id: 'a1', goesOn: true }, look())
    const told = after([cron('c1'), agent('a1'), said('check the deploy')], begun)
    const own = happened(told, { type: 'spent', subagent: null, turns: 1, ...cost }, look())
    const both = happened(own, { type: 'spent', subagent: 'a1', turns: 1, ...cost }, look())
    expect(one(both, 'c1')).toMatchObject({ turns: 1, tokens: 10, costUsd: 0.5 })
    expect(one(both, 'a1')).toMatchObject({ what: 'Counts parts', turns: 1, tokens: 10 })
  })
  it('is no drive’s where a person spoke', () => {
    const drives = after([cron('c1'), said('check the deploy'), said('now the docs')])
    expect(one(happened(drives, { type: 'spent', subagent: null, turns: 1, ...cost }, look()), 'c1')?.tokens).toBe(0)
  })
})

describe('an older part of the conversation', () => {
  it('adds what was never seen, as not known, and ends what ended', () => {
    const past = after([shell('b1'), cron('c1'), notified('b2', 'completed')], [], false)
    expect(past).toMatchObject([
      { id: 'b1', since: null, state: { is: 'unknown', why: 'history' } },
      { id: 'c1', since: null, next: null, state: { is: 'unknown' } },
    ])
    const known = after([shell('b1'), shell('b2')])
    const seen = after([shell('b2'), notified('b2', 'completed')], past, false)
    expect(withHistory(known, seen).map(({ id, state }) => [id, state.is])).toEqual([
      ['b1', 'on'],
      ['b2', 'over'],
      ['c1', 'unknown'],
    ])
  })
})

describe('whatever the order', () => {
  const ids = ['x1', 'x2', 'x3', 'x4', 'x5', 'x6']
  const starts = (id: string, i: number) => [shell(id), agent(id), cron(id, `prompt of ${id}`)][i % 3] as DriveStep
  const ends = (id: string, i: number) =>
    i % 3 === 2 ? call('CronDelete', { id }, `Cancelled job ${id}.`) : notified(id, 'completed')

  it('no drive is lost or doubled, and each is as its own last word says', () => {
    const lives = fc.array(fc.tuple(fc.nat(ids.length - 1), fc.constantFrom('start', 'again', 'end', 'talk')), {
      maxLength: 40,
    })
    fc.assert(
      fc.property(lives, (steps) => {
        const last = new Map<string, 'on' | 'over'>()
        const started = new Map<string, DriveStep>()
        let drives: readonly OwnDrive[] = []
        for (const [i, what] of steps) {
          const id = ids[i] ?? ''
          const first = started.get(id)
          const step =
            what === 'start'
              ? starts(id, i)
              : what === 'again' && first
                ? first
                : what === 'end'
                  ? ends(id, i)
                  : said('go on')
          // A client sends a call and its result in every request from then on.
          if (what === 'start') started.set(id, step)
          drives = observe('claude', drives, step, look())
          if (what === 'start') last.set(id, 'on')
          if (what === 'end' && started.has(id)) last.set(id, 'over')
        }
        expect(new Map(drives.map(({ id, state }) => [id, state.is]))).toEqual(last)
        expect(drives).toHaveLength(last.size)
        const open = drives.filter(({ state }) => state.is === 'on')
        expect(kept(drives).filter(({ state }) => state.is === 'on')).toEqual(open)
      }),
      runs(300),
    )
  })
})

describe('times of a cron line', () => {
  it.each<[string, string | null, number | null]>([
    ['*/1 * * * *', '2026-11-29 11:25', 1],
    ['*/20 * * * *', '2026-11-29 11:40', 20],
    ['7 * * * *', '2026-11-29 12:07', 60],
    ['3 9 * * *', '2026-11-30 09:03', 1440],
    ['0 9 * * 1-5', '2026-11-30 09:00', 1440],
    ['0 9 1 * *', '2026-12-01 09:00', 31 * 1440],
    ['0 9 * * 7', '2026-12-06 09:00', 7 * 1440],
    ['0 9 13 * 1', '2026-11-30 09:00', 7 * 1440],
    ['30 14 31 2 *', null, null],
    ['61 * * * *', null, null],
    ['@hourly', null, null],
    ['* * * * * *', null, null],
  ])('%s', (line, next, period) => {
    const local = next === null ? null : new Date(next.replace(' ', 'T')).getTime()
    const times = cronTimes(line, at)
    expect(times && [times.next, times.period && times.period / minute]).toEqual(local && [local, period])
  })
})

describe('a goal that its agent paused because a person stopped it', () => {
  const goes = said('<codex_internal_context source="goal">\nContinue')
  const paused = (drives: readonly OwnDrive[]): readonly OwnDrive[] =>
    drives.map((drive) => ({ ...drive, works: undefined, state: { is: 'stopped', at, how: 'paused' } }))

  it('stays so for the turn that was on its way, and goes on again with a later one', () => {
    const stopped = paused(observe('codex', [], goes, look()))
    const last = observe('codex', stopped, goes, look(1000))
    expect(last).toMatchObject([{ works: true, state: { is: 'stopped', how: 'paused' } }])
    expect(observe('codex', last, goes, look(6000))).toMatchObject([{ id: 'goal', state: { is: 'on' } }])
  })
})

describe('cron jobs of a Kimi Code', () => {
  const job = (id: string, recurring: boolean) =>
    call(
      'CronCreate',
      { cron: '*/5 * * * *', prompt: 'check the deploy', recurring },
      `id: ${id}\ncron: */5 * * * *\nhumanSchedule: every 5 minutes\nrecurring: ${String(recurring)}\nnextFireAt: null`,
    )
  const frame = (id: string) =>
    said(`<cron-fire jobId="${id}" cron="*/5 * * * *" recurring="true" coalescedCount="1" stale="false">\n<prompt>`)
  const after = (...steps: DriveStep[]) =>
    steps.reduce<readonly OwnDrive[]>((drives, step) => observe('kimi', drives, step, look()), [])

  it('are each known again by the id of their frame, though their words are the same', () => {
    const drives = after(job('a1', true), job('b2', false), frame('a1'))
    expect(drives).toMatchObject([
      { id: 'a1', once: false, works: true, state: { is: 'on' } },
      { id: 'b2', once: true, state: { is: 'on' } },
    ])
    expect(drives[1]?.works).toBeUndefined()
    expect(after(job('a1', true), call('CronDelete', { id: 'a1' }, 'Deleted cron job a1.'))).toMatchObject([
      { id: 'a1', state: { is: 'over', how: 'cleared' } },
    ])
  })

  it('are one of their kind where they were never seen to be made', () => {
    expect(after(frame('c3'))).toMatchObject([{ id: 'schedule', kind: 'schedule', works: true }])
  })
})
