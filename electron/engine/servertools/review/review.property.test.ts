import fc from 'fast-check'
import { expect, it } from 'vitest'
import { configSchema } from '../../../../shared/config/schema.ts'
import {
  blockerKinds,
  inspectionTools,
  type CheckRun,
  type CheckView,
  type Verdict,
} from '../../../../shared/review.ts'
import { OnwardError } from '../../base/errors.ts'
import { systemRandom } from '../../base/ids.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import type { Found, Workspace } from '../../workspace/types.ts'
import { createReview } from './create-review.ts'
import { askOf, call, scriptedModel, type Says } from './testing/scene.ts'
import { allRuns } from '../../../../shared/testing/runs.ts'

const files = ['a.ts', 'lib/b.ts']
const paths = [...files, 'gone.ts', '../out.ts']

/** A folder of two files in memory. */
const workspace: Workspace = {
  folder: '/p',
  listFiles: async () => found('lib/b.ts', '.'),
  readFile: async ({ path }) =>
    files.includes(path) ? found('1\tx', `${path}:1-1`) : { ok: false, text: 'no', say: 'no such file', what: path },
  searchText: async ({ text }) => found('a.ts:1: x', text),
  gitStatus: async () => ({ ok: false, text: 'no', say: 'no repository', what: '' }),
  gitDiff: async () => found('+1 −0\ta.ts', 'HEAD'),
  gitLog: async () => found('a commit', 'git log'),
  exists: async (path) => files.includes(path),
}
const found = (text: string, what: string): Found => ({ ok: true, text, say: 'ok', what })

interface Declared {
  name: string
  approval: CheckView['approval']
  outcome: CheckRun['outcome'] | 'throws'
}
const declared: fc.Arbitrary<Declared[]> = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('tests', 'lint', 'build'),
    approval: fc.oneof(
      { weight: 4, arbitrary: fc.constant('approved' as const) },
      fc.constantFrom('not-approved' as const, 'changed' as const, 'removed' as const),
    ),
    outcome: fc.oneof(
      { weight: 4, arbitrary: fc.constant('passed' as const) },
      fc.constantFrom(
        'failed' as const,
        'timed-out' as const,
        'not-started' as const,
        'stopped' as const,
        'throws' as const,
      ),
    ),
  }),
  { selector: ({ name }) => name, maxLength: 3 },
)

const viewOf = ({ name, approval }: Declared): CheckView => ({
  name,
  argv: ['run', name],
  timeoutSeconds: 1,
  from: 'file',
  approval,
  approvedAt: null,
  approvedArgv: null,
  changedFiles: [],
  running: false,
  last: null,
})

function checksOf(all: readonly Declared[], problem: string | null) {
  const ran: CheckRun[] = []
  return {
    ran,
    of: async (folder: string) => ({ folder, checks: all.map(viewOf), problem }),
    async run(_folder: string, name: string) {
      const one = all.find((check) => check.name === name)
      if (!one) throw new OnwardError('check-unknown', 'unknown')
      if (one.outcome === 'throws') throw new OnwardError('check-changed', 'changed just now')
      const run: CheckRun = {
        name,
        argv: ['run', name],
        outcome: one.outcome,
        exitCode: one.outcome === 'passed' ? 0 : 1,
        at: 0,
        ms: 1,
        say: one.outcome,
      }
      ran.push(run)
      return { run, output: `${one.outcome}\n` }
    },
  }
}

const source = fc.oneof(
  fc.constantFrom(...paths.map((path) => `file:${path}`)),
  fc.constantFrom('check:tests', 'check:other', 'git:diff', 'git:status', 'search:x', 'trust me', 'file:.', ''),
)
const verdict: fc.Arbitrary<Verdict> = fc.record({
  goalReached: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
  evidence: fc.array(fc.record({ claim: fc.constant('c'), source, result: fc.constant('r') }), { maxLength: 3 }),
  blockers: fc.oneof(
    { weight: 5, arbitrary: fc.constant([]) },
    fc.array(fc.record({ kind: fc.constantFrom(...blockerKinds), text: fc.string() }), { maxLength: 2 }),
  ),
  followup: fc.string(),
})
const says: fc.Arbitrary<Says> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.constantFrom(...inspectionTools, 'bash'),
          fc.record({
            path: fc.constantFrom(...paths),
            name: fc.constantFrom('tests', 'lint', 'other'),
            text: fc.constant('x'),
          }),
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((all) => ({ calls: all.map(([name, input]) => call(name, input)) })),
  },
  { weight: 6, arbitrary: verdict.map((said) => ({ calls: [call('verdict', said)] })) },
  { weight: 1, arbitrary: verdict.map((said) => ({ text: `So: ${JSON.stringify(said)}` })) },
  { weight: 1, arbitrary: fc.string().map((text) => ({ text })) },
  { weight: 1, arbitrary: fc.constant(new OnwardError('no-route', 'nobody answers')) },
)
/** Most begin as a diligent one would: what comes then has something to stand on. */
const script = fc
  .tuple(
    fc.oneof(
      {
        weight: 2,
        arbitrary: fc.constant<Says[]>([
          { calls: [call('read_file', { path: 'a.ts' }), call('run_check', { name: 'tests' })] },
        ]),
      },
      fc.constant<Says[]>([]),
    ),
    fc.array(says, { minLength: 1, maxLength: 6 }),
  )
  .map(([first, then]) => [...first, ...then])

it('whatever a model says: done only with evidence that holds and every check passed', async () => {
  let dones = 0
  await fc.assert(
    fc.asyncProperty(
      declared,
      fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, fc.constant('broken')),
      script,
      async (all, problem, said) => {
        const checks = checksOf(all, problem)
        const clock = virtualClock()
        const model = scriptedModel(said)
        const settings = configSchema.parse({ stopMessage: { review: { maxSteps: 5 } } }).stopMessage.review
        const review = createReview({
          ask: model.ask,
          run: () => Promise.reject(new Error('there is no command')),
          workspaceOf: () => workspace,
          checks,
          clock,
          random: systemRandom(),
          emptyFolder: () => '/',
          config: () => settings,
        })
        const { decision, view } = await review(
          { ...askOf('/p'), checks: all.map(viewOf), checksProblem: problem },
          new AbortController().signal,
        )

        const allowed = new Set(
          all.filter(({ approval }) => approval === 'approved' || approval === 'removed').map(({ name }) => name),
        )
        expect(checks.ran.every(({ name }) => allowed.has(name))).toBe(true)
        expect(view.checks).toEqual(checks.ran)
        expect(clock.pending()).toBe(0)
        expect(model.questions.length).toBeLessThanOrEqual(5 + 6)
        if (decision.kind === 'send') expect(decision.text.trim()).not.toBe('')
        if (decision.kind !== 'done') return
        dones++
        expect(problem).toBeNull()
        expect(
          all.every(
            ({ name, approval, outcome }) =>
              allowed.has(name) &&
              outcome === 'passed' &&
              approval !== 'changed' &&
              checks.ran.some((run) => run.name === name && run.outcome === 'passed'),
          ),
        ).toBe(true)
        expect(decision.reason.checks).toBe(all.length)
        expect(view.evidence.some((one) => one.source === 'file:gone.ts' || one.source === 'file:../out.ts')).toBe(
          false,
        )
        const looked = (tool: string, what = '') =>
          view.looks.some((look) => look.ok && look.tool === tool && look.what.startsWith(what))
        const holds: Readonly<Record<string, boolean>> = {
          'file:a.ts': looked('read_file', 'a.ts') || looked('search_text') || looked('git_diff'),
          'file:lib/b.ts': looked('read_file', 'lib/b.ts') || looked('list_files'),
          'check:tests': checks.ran.some(({ name }) => name === 'tests'),
          'git:diff': looked('git_diff'),
          'search:x': looked('search_text'),
        }
        expect(view.evidence.some((one) => holds[one.source] === true)).toBe(true)
      },
    ),
    allRuns(600),
  )
  // The rule is about something: some of them are.
  expect(dones).toBeGreaterThan(10)
})
