import type { CheckRun, CheckView } from '../../../../shared/review.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import { mayRun, sameWords } from '../../workspace/checks/state-of.ts'
import type { Checks, CheckResult } from '../../workspace/checks/types.ts'

/** The state of the checks that have to pass. */
export interface RequiredChecks {
  /** all there are, as just read */
  declared: readonly CheckView[]
  /** why the declaration can't be read; null: it can */
  problem: string | null
  passed: readonly CheckRun[]
  failed: readonly CheckResult[]
  /** a person has not allowed them as they are now */
  unapproved: readonly string[]
  /** that ran just now, in order */
  ran: readonly CheckRun[]
}

/**
 * Runs every declared check that a person allowed, except those that passed in this very review with the same words.
 * The declaration is read again: minutes may have passed since the review began. @throws the error of reading it
 */
export async function runRequired(
  folder: string,
  checks: Pick<Checks, 'of' | 'run'>,
  before: readonly CheckRun[],
  signal: AbortSignal,
): Promise<RequiredChecks> {
  const { checks: declared, problem } = await checks.of(folder)
  const passed: CheckRun[] = []
  const failed: CheckResult[] = []
  const unapproved: string[] = []
  const ran: CheckRun[] = []
  for (const check of declared) {
    const { name } = check
    signal.throwIfAborted()
    const earlier = before.findLast((run) => run.name === name)
    if (!mayRun(check)) unapproved.push(name)
    else if (earlier?.outcome === 'passed' && sameWords(earlier.argv, check.argv)) passed.push(earlier)
    else {
      const result = await runNow(folder, name, checks, signal)
      if (result === null) unapproved.push(name)
      else {
        if (result.run.outcome === 'stopped' && !signal.aborted && !(await mayStillRun(folder, name, checks))) {
          // A person took it back while it ran: by now less is required.
          const rest = await runRequired(folder, checks, [...before, ...ran], signal)
          return { ...rest, ran: [...ran, ...rest.ran] }
        }
        ran.push(result.run)
        if (result.run.outcome === 'passed') passed.push(result.run)
        else failed.push(result)
      }
    }
  }
  return { declared, problem, passed, failed, unapproved, ran }
}

const mayStillRun = async (folder: string, name: string, checks: Pick<Checks, 'of'>): Promise<boolean> =>
  (await checks.of(folder)).checks.some((check) => check.name === name && mayRun(check))

/** null: it may not run any more. @throws for a trouble of Onward's own */
async function runNow(
  folder: string,
  name: string,
  checks: Pick<Checks, 'run'>,
  signal: AbortSignal,
): Promise<CheckResult | null> {
  try {
    return await checks.run(folder, name, signal)
  } catch (error) {
    if (OnwardError.isInstance(error) && (error.code === 'check-not-approved' || error.code === 'check-changed'))
      return null
    throw new OnwardError(
      OnwardError.isInstance(error) ? error.code : 'check-failed',
      `The check “${name}” could not be run: ${messageOf(error)}`,
      { cause: error },
    )
  }
}
