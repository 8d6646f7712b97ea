import { describe, expect, it } from 'vitest'
import { beadActivity } from './bead-activity.ts'
import type { ExcerptCall } from '../turn-excerpt.ts'

const call = (
  command: string | readonly string[],
  result: string | null,
  more: Partial<ExcerptCall> = {},
): ExcerptCall => ({ name: 'Bash', arguments: JSON.stringify({ command }), result, isError: false, key: '', ...more })
const state = (...calls: readonly ExcerptCall[]) =>
  beadActivity({
    calls,
    callsTotal: calls.length,
    text: 'All beads are closed, nothing is ready and nothing in progress.',
    drivenBy: null,
  }).kind
const list = 'bd list --status in_progress --json'

describe('what the agent’s own calls show of beads', () => {
  it.each<[string, readonly ExcerptCall[]]>([
    ['both lists empty', [call(list, '[]'), call('bd ready --json', '[]\n')]],
    [
      'in words',
      [call('bd ready', '\n✨ No open issues\n'), call('bd list --status=in_progress', 'No issues found.\n')],
    ],
    [
      'all blocked',
      [
        call('bd --no-db ready', '✨ No ready work found (all issues have blocking dependencies)'),
        call(`cd /r && ${list}`, '[]'),
      ],
    ],
    ['in one call', [call(['bash', '-lc', `${list}; bd ready --json`], '[]\n[]\n')]],
    [
      'as Codex gives results',
      [
        call('x', null),
        call(`${list} && bd ready --json`, JSON.stringify({ output: '[]\n[]\n', metadata: { exit_code: 0 } })),
      ],
    ],
    [
      'with what stands around a result',
      [
        call('bd ready', 'Exit code: 0\nWall time: 0.1 seconds\nOutput:\nNo open issues\n'),
        call(list, 'Process exited with code 0\nOutput:\n[]'),
      ],
    ],
    [
      'after work',
      [
        call('bd ready --json', '[{"id":"a"}]'),
        call('bd close a', 'Closed a'),
        call(list, '[]'),
        call('bd ready --json', '[]'),
        call('bd show a', 'a: closed'),
      ],
    ],
  ])('finished: %s', (_name, calls) => expect(state(...calls)).toBe('finished'))

  it.each<[string, readonly ExcerptCall[]]>([
    ['its words alone', []],
    ['one list alone', [call('bd ready --json', '[]')]],
    ['the other alone', [call(list, '[]')]],
    ['work that is ready', [call(list, '[]'), call('bd ready --json', '[{"id":"a"}]')]],
    ['a call that failed', [call(list, '[]'), call('bd ready --json', '[]', { isError: true })]],
    ['no result yet', [call(list, '[]'), call('bd ready --json', null)]],
    ['an error in words', [call(list, '[]'), call('bd ready', 'Error: no .beads directory\nNo open issues')]],
    [
      'a change after them',
      [call(list, '[]'), call('bd ready --json', '[]'), call('bd create "More" -p 1', 'Created b')],
    ],
    ['a change behind them in the same call', [call(`${list} && bd ready --json && bd reopen a`, '[]\n[]')]],
    ['a filter that may hide others', [call(list, '[]'), call('bd ready --json --assignee me', '[]')]],
    ['all of one status', [call('bd list --status open --json', '[]'), call('bd ready --json', '[]')]],
    ['another program', [call('echo []; cat abd ready', '[]'), call('lbd list --status in_progress', '[]')]],
    [
      'no shell',
      [call(list, '[]', { arguments: 'bd ready' }), call('bd ready', '[]', { arguments: '{"path":"bd ready"}' })],
    ],
  ])('unknown: %s', (_name, calls) => expect(state(...calls)).toBe('unknown'))

  it('is unknown of a turn nobody knows', () => expect(beadActivity(null)).toEqual({ kind: 'unknown' }))
})
