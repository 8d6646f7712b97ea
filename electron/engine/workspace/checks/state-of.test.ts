import { describe, expect, it } from 'vitest'
import type { CheckRun } from '../../../../shared/review.ts'
import type { ApprovedCheck } from './approvals.ts'
import { mayRun, stateOf, type FolderFacts } from './state-of.ts'

const npm = ['npm', 'test']
const approved = (over: Partial<ApprovedCheck> = {}): ApprovedCheck => ({
  name: 'tests',
  argv: npm,
  timeoutSeconds: 30,
  from: 'file',
  at: 100,
  files: [],
  ...over,
})
const declared = (name = 'tests', argv = npm) => ({ name, argv, timeoutSeconds: 60 })
const state = (over: Partial<FolderFacts>) =>
  stateOf({
    declared: [],
    approved: [],
    defaultTimeoutSeconds: 600,
    filesNow: () => null,
    running: () => false,
    last: () => null,
    ...over,
  })
const short = (over: Partial<FolderFacts>) =>
  state(over).map((view) => [view.name, view.approval, view.from, mayRun(view)])

describe('the state of checks', () => {
  it.each<[string, Partial<FolderFacts>, unknown[]]>([
    ['nothing', {}, []],
    ['declared alone', { declared: [declared()] }, [['tests', 'not-approved', 'file', false]]],
    ['approved', { declared: [declared()], approved: [approved()] }, [['tests', 'approved', 'file', true]]],
    [
      'other words under its name',
      { declared: [declared('tests', ['npm', 'test', '--', '--bail'])], approved: [approved()] },
      [['tests', 'changed', 'file', false]],
    ],
    [
      'its words under another name',
      { declared: [declared('quick')], approved: [approved()] },
      [
        ['quick', 'not-approved', 'file', false],
        ['tests', 'removed', 'file', true],
      ],
    ],
    ['no longer declared', { approved: [approved()] }, [['tests', 'removed', 'file', true]]],
    [
      'declared by a person',
      { approved: [approved({ from: 'dashboard' })] },
      [['tests', 'approved', 'dashboard', true]],
    ],
    [
      'declared by a person and the file alike',
      { declared: [declared()], approved: [approved({ from: 'dashboard' })] },
      [['tests', 'approved', 'dashboard', true]],
    ],
    [
      'declared by a person, and otherwise by the file',
      { declared: [declared('tests', ['true'])], approved: [approved({ from: 'dashboard' })] },
      [['tests', 'changed', 'file', false]],
    ],
    [
      'another letter case',
      { declared: [declared('Tests')], approved: [approved()] },
      [
        ['Tests', 'not-approved', 'file', false],
        ['tests', 'removed', 'file', true],
      ],
    ],
  ])('%s', (_name, facts, expected) => expect(short(facts)).toEqual(expected))

  it('says what was approved before', () => {
    expect(state({ declared: [declared('tests', ['true'])], approved: [approved()] })).toMatchObject([
      { argv: ['true'], approvedArgv: npm, approvedAt: 100 },
    ])
    expect(state({ declared: [declared()], approved: [approved()] })).toMatchObject([
      { argv: npm, approvedArgv: null, approvedAt: 100 },
    ])
  })

  it('takes its time from the file, from the person who declared it, else from the config', () => {
    const seconds = (facts: Partial<FolderFacts>) => state(facts).map((view) => view.timeoutSeconds)
    expect(seconds({ declared: [declared()], approved: [approved()] })).toEqual([60])
    expect(seconds({ declared: [{ ...declared(), timeoutSeconds: null }], approved: [approved()] })).toEqual([600])
    expect(seconds({ declared: [declared()], approved: [approved({ from: 'dashboard' })] })).toEqual([30])
    expect(seconds({ approved: [approved({ from: 'dashboard', timeoutSeconds: null })] })).toEqual([600])
  })

  it('names files that are other, gone or new', () => {
    const was = [
      { path: 'a', sha256: '1' },
      { path: 'b', sha256: '2' },
      { path: 'c', sha256: '3' },
    ]
    const is = [
      { path: 'a', sha256: '1' },
      { path: 'b', sha256: 'x' },
      { path: 'd', sha256: '4' },
    ]
    const views = (filesNow: FolderFacts['filesNow']) =>
      state({ declared: [declared()], approved: [approved({ files: was })], filesNow })
    expect(views(() => is)).toMatchObject([{ approval: 'approved', changedFiles: ['b', 'c', 'd'] }])
    expect(views(() => null)).toMatchObject([{ changedFiles: [] }])
  })

  it('shows a last run of these words only', () => {
    const run: CheckRun = { name: 'tests', argv: npm, outcome: 'passed', exitCode: 0, at: 1, ms: 1, say: '' }
    expect(state({ declared: [declared()], last: () => run, running: () => true })).toMatchObject([
      { last: run, running: true },
    ])
    expect(state({ declared: [declared('tests', ['true'])], last: () => run })).toMatchObject([
      { last: null, running: false },
    ])
  })
})
