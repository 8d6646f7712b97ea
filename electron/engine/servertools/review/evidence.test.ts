import { describe, expect, it } from 'vitest'
import type { CheckRun, InspectionTool } from '../../../../shared/review.ts'
import { evidenceLine, sourcesOf, weigh, type EvidenceContext } from './evidence.ts'
import type { InspectionRecord } from './types.ts'

const record = (tool: InspectionTool, asked: string, text: string, ok = true, what = asked): InspectionRecord => ({
  inspection: { tool, what, ok, say: '' },
  asked,
  text,
})
const run = (name: string, outcome: CheckRun['outcome']): CheckRun => ({
  name,
  argv: ['x'],
  outcome,
  exitCode: 0,
  at: 0,
  ms: 1,
  say: '',
})
const there = new Set(['src/a.ts', 'src/b.ts', 'src/a.ts.snap', 'lib', 'README.md'])
const records: readonly InspectionRecord[] = [
  record('read_file', 'src/a.ts', '1\tsee src/unseen.ts and README.md', true, 'src/a.ts:1-40'),
  record('read_file', 'src/b.ts', 'no', false),
  record('search_text', 'TODO later', 'lib/x.ts:3: // TODO later'),
  record('git_diff', '', '+1 −0\tlib/y.ts\ndiff --git a/lib/z.ts b/lib/z.ts', true, 'HEAD'),
]
const context = (more: Partial<EvidenceContext> = {}): EvidenceContext => ({
  folder: '/code/p',
  exists: async (path) => there.has(path) || path.startsWith('lib/') || path === 'src/unseen.ts',
  records,
  declared: ['tests', 'lint'],
  checks: [run('tests', 'passed'), run('lint', 'failed')],
  ...more,
})
const weighed = async (source: string, more: Partial<EvidenceContext> = {}) => {
  const { held, untrue } = await weigh([{ claim: 'c', source, result: 'r' }], context(more))
  return untrue.length > 0 ? 'untrue' : held.length > 0 ? 'held' : 'claimed'
}

describe('evidence of a model', () => {
  it.each<[string, 'held' | 'claimed' | 'untrue']>([
    ['file:src/a.ts', 'held'],
    ['file:./src/a.ts:40-88', 'held'],
    ['file: `src/a.ts:40`', 'held'],
    ['File:src/a.ts#L40-L88', 'held'],
    ['file:/code/p/src/a.ts:1', 'held'],
    ['file:lib/x.ts:3', 'held'],
    ['file:lib/y.ts', 'held'],
    ['file:lib/z.ts', 'held'],
    // named by a file it read, which is not the same as having looked at it
    ['file:src/unseen.ts', 'claimed'],
    // it could not be read
    ['file:src/b.ts', 'claimed'],
    // a piece of another path
    ['file:lib/x.tsx', 'claimed'],
    ['file:lib/x', 'claimed'],
    ['file:src/a.ts.snap', 'claimed'],
    ['file:.', 'claimed'],
    ['file:/code/p', 'claimed'],
    ['file:src/gone.ts', 'untrue'],
    ['file:../p/src/a.ts', 'untrue'],
    ['file:/etc/passwd', 'untrue'],
    ['file:src/a.ts, file:src/gone.ts', 'untrue'],
    ['check:tests', 'held'],
    ['check:lint', 'claimed'],
    ['check:other', 'claimed'],
    ['file:src/b.ts; check:tests', 'held'],
    ['git:diff', 'held'],
    ['git:diff src/a.ts', 'held'],
    ['git:status', 'claimed'],
    ['git:push', 'claimed'],
    ['search:TODO', 'held'],
    ['search:“TODO later” in lib', 'held'],
    ['search:FIXME', 'claimed'],
    ['file:', 'claimed'],
    ['', 'claimed'],
    ['I looked at src/a.ts', 'claimed'],
  ])('%s is %s', async (source, expected) => {
    expect(await weighed(source)).toBe(expected)
  })
})

describe('evidence of a command', () => {
  it.each<[string, 'held' | 'claimed' | 'untrue']>([
    ['file:src/b.ts:1', 'held'],
    ['check:lint', 'held'],
    ['check:other', 'claimed'],
    ['git:diff', 'claimed'],
    ['search:TODO', 'claimed'],
    ['file:src/gone.ts', 'untrue'],
    ['my word', 'claimed'],
  ])('%s is %s', async (source, expected) => {
    expect(await weighed(source, { records: null, checks: [] })).toBe(expected)
  })
})

it('of several sources each is looked at', () => {
  expect(sourcesOf('file:a.ts:1,2; check:tests, git:log', '/p').map(({ kind }) => kind)).toEqual([
    'file',
    'check',
    'git',
  ])
})

it.each([
  [{ claim: 'Refunds round up', source: 'file:a', result: 'line 40' }, 'Refunds round up: line 40'],
  [{ claim: 'Done ', source: 'file:a', result: 'Done' }, 'Done'],
  [{ claim: '', source: 'file:a', result: '' }, 'file:a'],
])('%j in a sentence', (evidence, sentence) => {
  expect(evidenceLine(evidence)).toBe(sentence)
})
