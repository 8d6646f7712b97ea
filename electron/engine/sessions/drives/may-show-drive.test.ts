import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientKinds, type ClientKind } from '../../../../shared/words.ts'
import { mayShowDrive } from './may-show-drive.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const may = (client: ClientKind, ...said: readonly unknown[]): boolean =>
  mayShowDrive(client, Buffer.from(said.map((one) => JSON.stringify(one)).join(',')))
const use = (name: string) => ({ type: 'tool_use', name, input: {} })

describe('whether a drive may begin in bytes of a conversation', () => {
  it.each<[ClientKind, string, unknown, boolean]>([
    ['claude', 'a goal set', { text: 'A session-scoped Stop hook is now active with condition: "x"' }, true],
    ['claude', 'feedback where nothing is on', { text: 'Stop hook feedback:\n[x]: y' }, false],
    ['claude', 'a wake-up', use('ScheduleWakeup'), true],
    ['claude', 'a timed prompt', use('CronCreate'), true],
    ['claude', 'one taken back', use('CronDelete'), false],
    ['claude', 'names of tools in a list', { text: 'These tools are deferred: CronCreate, "ScheduleWakeup"' }, false],
    ['claude', 'the words of another client', use('create_goal'), false],
    ['codex', 'a goal made', use('create_goal'), true],
    ['codex', 'a goal gone on with', { text: '<codex_internal_context source="goal">\nx' }, true],
    ['codex', 'a goal of the first releases', { text: '<goal_context>\nx' }, true],
    ['codex', 'where it works', { text: '<environment_context>\nthe goal is clear' }, false],
    ['qwen', 'a goal', { text: 'Continue working on the active Goal.' }, true],
    ['qwen', 'a loop that wakes itself', use('loop_wakeup'), true],
    ['qwen', 'a timed prompt', use('cron_create'), true],
    ['gemini', 'anything at all', use('CronCreate'), false],
  ])('%s: %s', (client, _what, said, expected) => {
    expect(may(client, { text: 'look at the build' }, said, { text: 'done' })).toBe(expected)
  })
  it.each([
    [String.raw`{"name":"Cron\u0043reate"}`, true],
    [String.raw`{"text":"a \u003cgoal_context>"}`, true],
    [String.raw`{"text":"a \u003cb\u003e, \u001b[0m and \u00e9"}`, false],
    [String.raw`{"text":"a pattern: \\u0041"}`, false],
    [String.raw`{"text":"a backslash and an A: \\\u0041"}`, true],
  ])('signs written as escapes: %s is %s', (json, expected) => {
    expect(mayShowDrive('codex', Buffer.from(json))).toBe(expected)
  })
  it('says no of what holds none of the signs, whoever the client is', () => {
    const words = fc.constantFrom('build', 'goal', 'loop', 'cron', 'wake up', '\n', '"', '\\', 'é', '中', '<b>')
    fc.assert(
      fc.property(
        fc.constantFrom(...clientKinds),
        fc.array(words).map((all) => all.join(' ')),
        (client, text) => {
          expect(may(client, { text })).toBe(false)
        },
      ),
      runs(100),
    )
  })
})
