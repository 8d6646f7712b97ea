/** What goals are about in tests: a small project in git, whose tests are red until somebody mends it. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { EventBody } from '../../shared/events.ts'
import { inspectionTools, type ReviewView } from '../../shared/review.ts'
import type { SessionView } from '../../shared/state.ts'
import type { TestControl } from './control-client.ts'
import { cleanEnv, projectsOf, type RunningEngine } from './engine-process.ts'
import { heard } from './heard.ts'
import { at } from './mock-upstream/json-path.ts'
import { callTool, type MockRequest, type MockUpstream } from './mock-upstream/index.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'

export interface DeclaredForTest {
  name: string
  run: readonly string[]
}

export const testsCheck: DeclaredForTest = { name: 'tests', run: ['node', '--test'] }

/** The folder where `world.start` puts the session `work`, with one commit in it. */
export function makeProject(
  { home }: RunningEngine,
  {
    checks = [testsCheck],
    files = {},
  }: { checks?: readonly DeclaredForTest[]; files?: Readonly<Record<string, string>> } = {},
): string {
  const folder = join(projectsOf(home), 'work')
  mkdirSync(folder, { recursive: true })
  const all = {
    'sum.mjs': 'export const sum = (a, b) => a - b\n',
    'sum.test.mjs':
      "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { " +
      "sum } from './sum.mjs'\ntest('adds two numbers', () => assert.equal(sum(2, 3), 5))\n",
    ...(checks.length === 0 ? {} : { '.onward.json': declaration(checks) }),
    ...files,
  }
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text)
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false', ...args],
      { cwd: folder, env: cleanEnv(), stdio: 'ignore' },
    )
  git('init')
  git('add', '-A')
  git('commit', '-m', 'Begin')
  return folder
}

export const declaration = (checks: readonly DeclaredForTest[]): string => `${JSON.stringify({ checks })}\n`

/** Codex's model runs a command in its folder. */
export const shell = (cmd: string) => callTool('exec_command', { cmd })
/** what mends the project */
export const mend = shell("sed -i 's/a - b/a + b/' sum.mjs && git diff --stat")

/** The one session, once it works. */
export const firstSession = (control: TestControl): Promise<SessionView> =>
  control.session(({ scope }) => scope !== null)

export async function approve(
  { api }: TestControl,
  session: string,
  { name, run }: DeclaredForTest = testsCheck,
): Promise<void> {
  await api.approveCheck.mutate({ session, name, argv: [...run] })
}

const goalSteps: readonly EventBody['type'][] = [
  'armed',
  'matched',
  'review-started',
  'review-done',
  'queued',
  'typed',
  'submitted',
  'used',
  'confirmed',
  'superseded',
  'failed',
  'paused',
  'resumed',
  'done',
  'cleared',
  'stop-message-edited',
  'check-approved',
  'notified',
  'engine-problem',
  'store-problem',
]

/** What happened to a goal so far, in order; a review with what came of it. */
export function goalStory({ events }: TestControl): string[] {
  return events
    .filter(({ body }) => goalSteps.includes(body.type))
    .map(({ body }) => (body.type === 'review-done' ? `review-done ${body.review.outcome.code}` : body.type))
}

/** Waits until the story ends so. */
export async function untilStory(control: TestControl, ...end: string[]): Promise<void> {
  await waitFor(`${end.join(', ')} in the story`, () =>
    end.every((step, i) => goalStory(control).at(i - end.length) === step),
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}; it is: ${goalStory(control).join(', ')}`)
  })
}

/** what came of each, oldest first */
export const reviews = ({ events }: TestControl): ReviewView[] =>
  events.flatMap(({ body }) => (body.type === 'review-done' ? [body.review] : []))

export const followupsOf = ({ events }: TestControl): string[] =>
  events.flatMap(({ body }) => (body.type === 'queued' ? [body.text] : []))

/** All that Codex itself keeps of its conversations, as it stands in its files. */
export function rolloutsOf({ home }: RunningEngine, person = 'work'): string {
  const folder = join(home, 'codex-home', person, '.codex', 'sessions')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
}

/** The first request of each review: it has nothing but what a reviewer is and what it is about. */
export const reviewsBegun = ({ requests }: MockUpstream): MockRequest[] =>
  requests.filter(({ json }) => at(json, 'messages', 2) === undefined)

/** A reviewer knows its folder and what the agent said: no tools of Onward's, no time, no markers, nobody's ids. */
export function expectReviewersApart({ requests }: MockUpstream, ids: readonly (string | null)[]): void {
  for (const request of requests) {
    const body = request.body.toString()
    expect(heard(request).tools.map(({ name }) => name)).toEqual([...inspectionTools, 'verdict'])
    expect(body).not.toMatch(/\[Time\/Date\]|<\*\*|continue_execution|"clock"/)
    for (const id of ids) if (id !== null) expect(`${JSON.stringify(request.headers)}${body}`).not.toContain(id)
    expect(request.model).toBe('judge-model')
  }
}
