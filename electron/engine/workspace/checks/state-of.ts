import type { CheckRun, CheckView } from '../../../../shared/review.ts'
import type { ApprovedCheck, FileMark } from './approvals.ts'
import type { DeclaredCheck } from './declaration.ts'

export interface FolderFacts {
  declared: readonly DeclaredCheck[]
  approved: readonly ApprovedCheck[]
  defaultTimeoutSeconds: number
  /** what these words run now; null: not looked at */
  filesNow(argv: readonly string[]): readonly FileMark[] | null
  running(name: string): boolean
  last(name: string): CheckRun | null
}

/**
 * Lists what must pass in a folder: the checks its file declares, and every check a person approved, even if the file
 * no longer names it. A check is identified by its name: another argv under the same name is `changed`, and the same
 * argv under another name is not approved.
 */
export function stateOf(facts: FolderFacts): CheckView[] {
  const { declared, approved } = facts
  const names = new Set(declared.map((one) => one.name))
  return [
    ...declared.map((one) => ofDeclared(one, approved.find((earlier) => earlier.name === one.name) ?? null, facts)),
    ...approved
      .filter((one) => !names.has(one.name))
      .map((one) => ofApproved(one, one.from === 'dashboard' ? 'approved' : 'removed', facts)),
  ]
}

/** Approved for exactly these words. A `removed` one is as well, and stays required. */
export const mayRun = (view: CheckView): boolean => view.approval === 'approved' || view.approval === 'removed'

export const sameWords = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((word, at) => word === b[at])

function ofDeclared(check: DeclaredCheck, earlier: ApprovedCheck | null, facts: FolderFacts): CheckView {
  if (earlier !== null && sameWords(earlier.argv, check.argv))
    return ofApproved(
      { ...earlier, timeoutSeconds: earlier.from === 'dashboard' ? earlier.timeoutSeconds : check.timeoutSeconds },
      'approved',
      facts,
    )
  return {
    ...liveOf(check, facts),
    from: 'file',
    approval: earlier === null ? 'not-approved' : 'changed',
    approvedAt: earlier?.at ?? null,
    approvedArgv: earlier?.argv ?? null,
    changedFiles: [],
  }
}

const ofApproved = (check: ApprovedCheck, approval: 'approved' | 'removed', facts: FolderFacts): CheckView => ({
  ...liveOf(check, facts),
  from: check.from,
  approval,
  approvedAt: check.at,
  approvedArgv: null,
  changedFiles: differing(check.files, facts.filesNow(check.argv) ?? check.files),
})

function liveOf(
  { name, argv, timeoutSeconds }: DeclaredCheck,
  facts: FolderFacts,
): Pick<CheckView, 'name' | 'argv' | 'timeoutSeconds' | 'running' | 'last'> {
  const last = facts.last(name)
  return {
    name,
    argv,
    timeoutSeconds: timeoutSeconds ?? facts.defaultTimeoutSeconds,
    running: facts.running(name),
    last: last !== null && sameWords(last.argv, argv) ? last : null,
  }
}

/** Paths of files that changed, are gone, or are new. */
function differing(before: readonly FileMark[], now: readonly FileMark[]): string[] {
  const was = new Map(before.map((one) => [one.path, one.sha256]))
  const is = new Map(now.map((one) => [one.path, one.sha256]))
  return [...new Set([...was.keys(), ...is.keys()])].filter((path) => was.get(path) !== is.get(path))
}
