import type { CheckRun } from '../../../../shared/review.ts'
import type { Clock } from '../../base/clock.ts'
import { lastCharacters } from '../stream-tail.ts'
import type { ProgramEnd, RunProgram } from '../types.ts'
import { plainText } from './plain-text.ts'
import type { CheckResult } from './types.ts'
import { excerpt } from '../../../../shared/sentences/excerpt.ts'
import { runners } from './runners.ts'
import { tallyText } from './tally.ts'

const MOST_OUTPUT = 4_000
/** the share of them for stderr when both streams have more than fits */
const MOST_ERRORS = 1_500

/** No colours, no prompts, no watching: the variables by which programs know that they run unattended. */
const quietEnv = { CI: '1', NO_COLOR: '1', FORCE_COLOR: '0' }

export interface ApprovedRun {
  name: string
  folder: string
  argv: readonly string[]
  timeoutSeconds: number
}

/** Runs an approved check. Never rejects. */
export async function runCheck(
  { name, folder, argv, timeoutSeconds }: ApprovedRun,
  { runProgram, clock }: { runProgram: RunProgram; clock: Pick<Clock, 'now'> },
  signal: AbortSignal,
): Promise<CheckResult> {
  const end = await runProgram({ argv, cwd: folder, timeoutMs: timeoutSeconds * 1_000, env: quietEnv }, signal)
  return {
    run: {
      name,
      argv,
      outcome: outcomeOf(end),
      exitCode: end.exitCode,
      at: clock.now(),
      ms: end.ms,
      say: sayOf(end, timeoutSeconds),
    },
    output: endsOf(plainText(end.stdout).trim(), plainText(end.stderr).trim()),
  }
}

/** A check that was stopped before its turn. */
export const neverRan = (name: string, argv: readonly string[], at: number): CheckResult => ({
  run: { name, argv, outcome: 'stopped', exitCode: null, at, ms: 0, say: 'it was stopped before it began' },
  output: '',
})

function outcomeOf({ kind, exitCode }: ProgramEnd): CheckRun['outcome'] {
  return kind !== 'exited' ? kind : exitCode === 0 ? 'passed' : 'failed'
}

function sayOf(end: ProgramEnd, timeoutSeconds: number): string {
  switch (end.kind) {
    case 'not-started':
      return end.problem ?? 'it could not be started'
    case 'timed-out':
      return `it had not ended after ${timeoutSeconds} s`
    case 'stopped':
      return 'it was stopped'
    case 'exited':
      return sayOfOutput(`${end.stdout}\n${end.stderr}`, end.exitCode === 0, end.exitCode)
  }
}

/** The ends of both streams; each may use the space that the other leaves. */
export function endsOf(out: string, err: string): string {
  if (err === '') return lastCharacters(out, MOST_OUTPUT)
  if (out === '') return lastCharacters(err, MOST_OUTPUT)
  const errors = lastCharacters(err, Math.max(MOST_ERRORS, MOST_OUTPUT - 1 - out.length))
  return `${lastCharacters(out, MOST_OUTPUT - 1 - errors.length)}\n${errors}`
}

/**
 * Summarizes a check in one line: its runner's count, else the last line of output. `output`: both its streams. Only
 * the exit code decides whether it passed; where the runner's count disagrees, both are said.
 */
export function sayOfOutput(output: string, passed: boolean, exitCode: number | null): string {
  const text = plainText(output)
  const tallies = runners.flatMap((read) => read(text) ?? [])
  const tally = tallies.find((one) => one.failed > 0) ?? tallies[0]
  const how = exitCode === null ? 'a signal ended it' : `it ended with ${exitCode}`
  if (tally !== undefined) return tally.failed > 0 === passed ? `${tallyText(tally)}, yet ${how}` : tallyText(tally)
  const last = text
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => /[\p{L}\p{N}]/u.test(line))
  return last === undefined ? (passed ? 'it said nothing' : `${how} and said nothing`) : excerpt(last)
}
