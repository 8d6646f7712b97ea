import type { CheckView, FolderChecks } from '../../../../shared/review.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { putNewest } from '../../base/newest.ts'
import type { Document, Store } from '../../store/types.ts'
import { confinesOf } from '../confine.ts'
import type { RunProgram } from '../types.ts'
import {
  approvalsSpec,
  approvedIn,
  withApproved,
  withoutApproved,
  type ApprovedCheck,
  type Approvals,
  type FileMark,
} from './approvals.ts'
import { checkErrors } from './check-errors.ts'
import { MOST_CHECKS, type Declaration } from './declaration.ts'
import { filesItRuns } from './files-it-runs.ts'
import { declarationOf } from './read-declaration.ts'
import { realFolder } from './real-folder.ts'
import { runCheck } from './run-check.ts'
import { createRuns } from './runs.ts'
import { hasInvisible, splitCheckCommand } from './split-command.ts'
import { mayRun, sameWords, stateOf } from './state-of.ts'
import type { CheckResult, Checks } from './types.ts'

export interface ChecksDeps {
  store: Pick<Store, 'document'>
  runProgram: RunProgram
  clock: Pick<Clock, 'now'>
  log: Log
  /** of a check that does not say it itself */
  defaultTimeoutSeconds(): number
  /** absolute folders of which nothing is shown: Onward's own home */
  closed?: readonly string[]
  /** something of a folder's checks is another than it was; `folder`: its real path */
  changed?(folder: string): void
}

/** A folder as it was last looked at. */
interface Looked {
  folder: string
  declaration: Declaration
  filesNow: ReadonlyMap<string, readonly FileMark[]>
}

const MOST_FOLDERS = 500
const LONGEST_NAME = 200

/** What was shown of it, for as long as what it was made of is the same. */
interface Shown {
  approvals: Approvals | null
  timeout: number
  checks: FolderChecks
}

export function createChecks({
  store,
  runProgram,
  clock,
  log,
  defaultTimeoutSeconds,
  closed = [],
  changed: tell = () => undefined,
}: ChecksDeps): Checks {
  /** Every update of a session asks for its folder's. */
  let shown = new WeakMap<Looked, Shown>()
  const changed = (folder: string) => {
    shown = new WeakMap()
    tell(folder)
  }
  const runs = createRuns({ now: () => clock.now(), changed })
  const seen = new Map<string, Looked>()
  /** the last run that was asked for, until its folder is known */
  let asked: Promise<unknown> = Promise.resolve()
  let opening: Promise<Document<Approvals>> | null = null
  let opened: Document<Approvals> | null = null

  const approvals = async (): Promise<Document<Approvals>> => {
    // A disk that failed once is asked again.
    opening ??= store.document(approvalsSpec).catch((error: unknown) => {
      opening = null
      throw error
    })
    return (opened = await opening)
  }

  const viewsOf = ({ folder, declaration, filesNow }: Looked): CheckView[] =>
    stateOf({
      declared: declaration.checks,
      approved: approvedIn(opened?.get() ?? null, folder),
      defaultTimeoutSeconds: defaultTimeoutSeconds(),
      filesNow: (argv) => filesNow.get(JSON.stringify(argv)) ?? null,
      running: (name) => runs.running(folder, name),
      last: (name) => runs.last(folder, name),
    })

  const look = async (folder: string): Promise<Looked> => {
    const document = await approvals()
    const real = await realFolder(folder)
    const declaration =
      real.problem === null
        ? await declarationOf(await confinesOf(real.path, closed))
        : { checks: [], problem: real.problem }
    const filesNow = new Map<string, readonly FileMark[]>()
    for (const { argv } of approvedIn(document.get(), real.path))
      filesNow.set(JSON.stringify(argv), await filesItRuns(real.path, argv))
    const looked = { folder: real.path, declaration, filesNow }
    putNewest(seen, folder, looked, MOST_FOLDERS)
    return looked
  }

  const toChange = async (folder: string): Promise<{ looked: Looked; views: CheckView[] }> => {
    const real = await realFolder(folder)
    if (real.problem !== null) throw checkErrors.noFolder(real.problem)
    const looked = await look(folder)
    return { looked, views: viewsOf(looked) }
  }

  const keep = async (looked: Looked, check: Omit<ApprovedCheck, 'at' | 'files'>): Promise<CheckView> => {
    const files = await filesItRuns(looked.folder, check.argv)
    const approved: ApprovedCheck = { ...check, at: clock.now(), files }
    await (await approvals()).update((all) => withApproved(all, looked.folder, approved))
    changed(looked.folder)
    const view = viewsOf({
      ...looked,
      filesNow: new Map([...looked.filesNow, [JSON.stringify(check.argv), files]]),
    }).find((one) => one.name === check.name)
    // Taken back in the same moment by another window.
    if (view === undefined) throw checkErrors.unknown(check.name)
    return view
  }

  const folderChecks = (looked: Looked): FolderChecks => ({
    folder: looked.folder,
    checks: viewsOf(looked),
    problem: looked.declaration.problem,
  })

  const runNow = async (asked: string, name: string, signal: AbortSignal): Promise<CheckResult> => {
    // Read again: while it waited, the file or a person may have changed what it is.
    const looked = await look(asked)
    const view = viewsOf(looked).find((one) => one.name === name)
    if (view === undefined) throw checkErrors.unknown(name)
    if (view.approval === 'changed') throw checkErrors.notAsApproved(name)
    if (!mayRun(view)) throw checkErrors.notApproved(name)
    const result = await runCheck(
      { name, folder: looked.folder, argv: view.argv, timeoutSeconds: view.timeoutSeconds },
      { runProgram, clock },
      signal,
    )
    log.info(
      {
        folder: looked.folder,
        check: name,
        outcome: result.run.outcome,
        exitCode: result.run.exitCode,
        ms: result.run.ms,
      },
      'a check ran',
    )
    return result
  }

  return {
    async load() {
      await approvals()
    },
    async of(folder) {
      return folderChecks(await look(folder))
    },
    peek(folder) {
      const looked = seen.get(folder)
      if (looked === undefined) return null
      const [approvals, timeout] = [opened?.get() ?? null, defaultTimeoutSeconds()]
      const before = shown.get(looked)
      if (before?.approvals === approvals && before.timeout === timeout) return before.checks
      const checks = folderChecks(looked)
      shown.set(looked, { approvals, timeout, checks })
      return checks
    },
    async approve(folder, name, argv) {
      const { looked, views } = await toChange(folder)
      const view = views.find((one) => one.name === name)
      if (view === undefined) throw checkErrors.unknown(name)
      if (!sameWords(view.argv, argv)) throw checkErrors.readsOtherwise(name)
      // Nobody's file names a removed one: from here on it is the person who does.
      const from = view.from === 'dashboard' || view.approval === 'removed' ? 'dashboard' : 'file'
      return keep(looked, { name, argv: [...argv], timeoutSeconds: timeoutOf(looked, name), from })
    },
    async forget(folder, name) {
      const real = await realFolder(folder)
      const document = await approvals()
      if (!approvedIn(document.get(), real.path).some((one) => one.name === name)) throw checkErrors.neverApproved(name)
      await document.update((all) => withoutApproved(all, real.path, name))
      runs.forget(real.path, name)
      changed(real.path)
    },
    async declare(folder, { name: given, command, timeoutSeconds = null }) {
      const argv = splitCheckCommand(command)
      const name = (given ?? argv.join(' ').slice(0, LONGEST_NAME)).trim()
      if (name === '' || name.length > LONGEST_NAME || hasInvisible(name)) throw checkErrors.badName()
      const { looked, views } = await toChange(folder)
      if (views.some((one) => one.name === name)) throw checkErrors.exists(name)
      if (views.length >= MOST_CHECKS) throw checkErrors.tooMany(MOST_CHECKS)
      return keep(looked, { name, argv, timeoutSeconds, from: 'dashboard' })
    },
    async run(folder, name, signal) {
      // Whoever asks first runs first, though a disk may answer the later one sooner.
      const found = asked.then(async () => {
        const { path } = await realFolder(folder)
        return { path, argv: approvedIn((await approvals()).get(), path).find((one) => one.name === name)?.argv ?? [] }
      })
      asked = found.catch(() => undefined)
      const { path, argv } = await found
      return runs.inTurn(path, { name, argv, begin: (stopping) => runNow(path, name, stopping) }, signal)
    },
    dispose: () => runs.dispose(),
  }

  function timeoutOf(looked: Looked, name: string): number | null {
    const declared = looked.declaration.checks.find((one) => one.name === name)
    return (
      (declared ?? approvedIn(opened?.get() ?? null, looked.folder).find((one) => one.name === name))?.timeoutSeconds ??
      null
    )
  }
}
