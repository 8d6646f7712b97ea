import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CheckView, FolderChecks } from '../../../../shared/review.ts'
import type { Clock } from '../../base/clock.ts'
import { OnwardError, messageOf, systemCodeOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { putNewest } from '../../base/newest.ts'
import type { Document, Store } from '../../store/types.ts'
import { confinesOf, type Confines } from '../confine.ts'
import { readToShow } from '../open-inside.ts'
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
import { MOST_CHECKS, type Declaration, declarationFile, nothingDeclared, readDeclaration } from './declaration.ts'
import { filesItRuns } from './files-it-runs.ts'
import { runCheck } from './run-check.ts'
import { createRuns, type Runs } from './runs.ts'
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
  /** something about a folder's checks changed; `folder`: its real path */
  changed?(folder: string): void
}

/** A folder as it was last looked at. */
interface FolderSnapshot {
  folder: string
  declaration: Declaration
  filesNow: ReadonlyMap<string, readonly FileMark[]>
}

const MOST_FOLDERS = 500
const LONGEST_NAME = 200

/** Cached view of a folder's checks, valid while its inputs are the same. */
interface Shown {
  approvals: Approvals | null
  timeout: number
  checks: FolderChecks
}

interface Looking extends ChecksDeps {
  runs: Runs
  seen: Map<string, FolderSnapshot>
  /** Each update of a session asks for the checks of its folder. */
  shown: WeakMap<FolderSnapshot, Shown>
  opening: Promise<Document<Approvals>> | null
  opened: Document<Approvals> | null
}

export function createChecks(deps: ChecksDeps): Checks {
  const runs = createRuns({ now: () => deps.clock.now(), changed: (folder) => changed(context, folder) })
  const seen = new Map<string, FolderSnapshot>()
  const context: Looking = { ...deps, runs, seen, shown: new WeakMap(), opening: null, opened: null }
  /** the last run that was asked for, until its folder is known */
  let asked: Promise<unknown> = Promise.resolve()

  return {
    async load() {
      await approvals(context)
    },
    async of(folder) {
      return folderChecks(context, await readFolder(context, folder))
    },
    peek(folder) {
      const snapshot = seen.get(folder)
      if (snapshot === undefined) return null
      const [approvals, timeout] = [context.opened?.get() ?? null, deps.defaultTimeoutSeconds()]
      const before = context.shown.get(snapshot)
      if (before?.approvals === approvals && before.timeout === timeout) return before.checks
      const checks = folderChecks(context, snapshot)
      context.shown.set(snapshot, { approvals, timeout, checks })
      return checks
    },
    async approve(folder, name, argv) {
      const { snapshot, views } = await toChange(context, folder)
      const view = views.find((one) => one.name === name)
      if (view === undefined) throw checkErrors.unknown(name)
      if (!sameWords(view.argv, argv)) throw checkErrors.readsOtherwise(name)
      // No file names a removed check any more: from here on it is the person's own.
      const from = view.from === 'dashboard' || view.approval === 'removed' ? 'dashboard' : 'file'
      const timeoutSeconds = timeoutOf(context, snapshot, name)
      return keep(context, snapshot, { name, argv: [...argv], timeoutSeconds, from })
    },
    async forget(folder, name) {
      const real = await realFolder(folder)
      const document = await approvals(context)
      if (!approvedIn(document.get(), real.path).some((one) => one.name === name)) throw checkErrors.neverApproved(name)
      await document.update((all) => withoutApproved(all, real.path, name))
      runs.forget(real.path, name)
      changed(context, real.path)
    },
    async declare(folder, { name: given, command, timeoutSeconds = null }) {
      const argv = splitCheckCommand(command)
      const name = (given ?? argv.join(' ').slice(0, LONGEST_NAME)).trim()
      if (name === '' || name.length > LONGEST_NAME || hasInvisible(name)) throw checkErrors.badName()
      const { snapshot, views } = await toChange(context, folder)
      if (views.some((one) => one.name === name)) throw checkErrors.exists(name)
      if (views.length >= MOST_CHECKS) throw checkErrors.tooMany(MOST_CHECKS)
      return keep(context, snapshot, { name, argv, timeoutSeconds, from: 'dashboard' })
    },
    async run(folder, name, signal) {
      // Runs start in the order of the calls, even if a disk answers the later one sooner.
      const found = asked.then(async () => {
        const { path } = await realFolder(folder)
        const approved = approvedIn((await approvals(context)).get(), path).find((one) => one.name === name)
        return { path, argv: approved?.argv ?? [] }
      })
      asked = found.catch(() => undefined)
      const { path, argv } = await found
      return runs.inTurn(path, { name, argv, begin: (stopping) => runNow(context, path, name, stopping) }, signal)
    },
    dispose: () => runs.dispose(),
  }
}

function changed(context: Looking, folder: string) {
  context.shown = new WeakMap()
  context.changed?.(folder)
}

async function approvals(context: Looking): Promise<Document<Approvals>> {
  // A disk that failed once is asked again.
  context.opening ??= context.store.document(approvalsSpec).catch((error: unknown) => {
    context.opening = null
    throw error
  })
  return (context.opened = await context.opening)
}

const viewsOf = (context: Looking, { folder, declaration, filesNow }: FolderSnapshot): CheckView[] =>
  stateOf({
    declared: declaration.checks,
    approved: approvedIn(context.opened?.get() ?? null, folder),
    defaultTimeoutSeconds: context.defaultTimeoutSeconds(),
    filesNow: (argv) => filesNow.get(JSON.stringify(argv)) ?? null,
    running: (name) => context.runs.running(folder, name),
    last: (name) => context.runs.last(folder, name),
  })

async function readFolder(context: Looking, folder: string): Promise<FolderSnapshot> {
  const document = await approvals(context)
  const real = await realFolder(folder)
  const declaration =
    real.problem === null
      ? await declarationOf(await confinesOf(real.path, context.closed ?? []))
      : { checks: [], problem: real.problem }
  const filesNow = new Map<string, readonly FileMark[]>()
  for (const { argv } of approvedIn(document.get(), real.path))
    filesNow.set(JSON.stringify(argv), await filesItRuns(real.path, argv))
  const snapshot = { folder: real.path, declaration, filesNow }
  putNewest(context.seen, folder, snapshot, MOST_FOLDERS)
  return snapshot
}

async function toChange(context: Looking, folder: string): Promise<{ snapshot: FolderSnapshot; views: CheckView[] }> {
  const real = await realFolder(folder)
  if (real.problem !== null) throw checkErrors.noFolder(real.problem)
  const snapshot = await readFolder(context, folder)
  return { snapshot, views: viewsOf(context, snapshot) }
}

async function keep(
  context: Looking,
  snapshot: FolderSnapshot,
  check: Omit<ApprovedCheck, 'at' | 'files'>,
): Promise<CheckView> {
  const files = await filesItRuns(snapshot.folder, check.argv)
  const approved: ApprovedCheck = { ...check, at: context.clock.now(), files }
  await (await approvals(context)).update((all) => withApproved(all, snapshot.folder, approved))
  changed(context, snapshot.folder)
  const view = viewsOf(context, {
    ...snapshot,
    filesNow: new Map([...snapshot.filesNow, [JSON.stringify(check.argv), files]]),
  }).find((one) => one.name === check.name)
  // Taken back in the same moment by another window.
  if (view === undefined) throw checkErrors.unknown(check.name)
  return view
}

const folderChecks = (context: Looking, snapshot: FolderSnapshot): FolderChecks => ({
  folder: snapshot.folder,
  checks: viewsOf(context, snapshot),
  problem: snapshot.declaration.problem,
})

async function runNow(context: Looking, asked: string, name: string, signal: AbortSignal): Promise<CheckResult> {
  // Read again: while it waited, the file or a person may have changed what it is.
  const snapshot = await readFolder(context, asked)
  const view = viewsOf(context, snapshot).find((one) => one.name === name)
  if (view === undefined) throw checkErrors.unknown(name)
  if (view.approval === 'changed') throw checkErrors.notAsApproved(name)
  if (!mayRun(view)) throw checkErrors.notApproved(name)
  const result = await runCheck(
    { name, folder: snapshot.folder, argv: view.argv, timeoutSeconds: view.timeoutSeconds },
    context,
    signal,
  )
  const { outcome, exitCode, ms } = result.run
  context.log.info({ folder: snapshot.folder, check: name, outcome, exitCode, ms }, 'a check ran')
  return result
}

function timeoutOf(context: Looking, snapshot: FolderSnapshot, name: string): number | null {
  const declared = snapshot.declaration.checks.find((one) => one.name === name)
  return (
    (declared ?? approvedIn(context.opened?.get() ?? null, snapshot.folder).find((one) => one.name === name))
      ?.timeoutSeconds ?? null
  )
}

const refusal = (code: string, status: number) => (message: string) => new OnwardError(code, message, { status })

const unknown = refusal('check-unknown', 404)
const changedError = refusal('check-changed', 409)
const notApproved = refusal('check-not-approved', 409)
const exists = refusal('check-exists', 409)
const noFolder = refusal('no-folder', 409)
const badCommand = refusal('bad-command', 400)

const checkErrors = {
  unknown: (name: string) => unknown(`No check is called “${name}” in this folder.`),
  neverApproved: (name: string) => unknown(`“${name}” is not approved in this folder, so there is nothing to forget.`),
  readsOtherwise: (name: string) =>
    changedError(`“${name}” reads otherwise by now. Look at it again before you approve it.`),
  notApproved: (name: string) => notApproved(`“${name}” waits for a person’s approval before it may run.`),
  notAsApproved: (name: string) =>
    notApproved(`“${name}” was approved with another command. It has to be approved again before it may run.`),
  exists: (name: string) =>
    exists(`A check called “${name}” is there already. Approve that one, or take another name.`),
  noFolder: (problem: string) => noFolder(problem),
  badName: () => badCommand('A check’s name has 1 to 200 characters that can be seen.'),
  tooMany: (most: number) => badCommand(`This folder has ${most} checks already. Forget one first.`),
}

/** The real path of a folder, however it was reached. `problem`: why nothing can run in it. */
export interface RealFolder {
  path: string
  problem: string | null
}

async function realFolder(folder: string): Promise<RealFolder> {
  try {
    const path = await realpath(folder)
    return { path, problem: (await stat(path)).isDirectory() ? null : `${path} is no folder.` }
  } catch (error) {
    // Approvals for this path stay required: a folder that is gone for a moment does not drop them.
    return {
      path: resolve(folder),
      problem: `The folder ${folder} can’t be read: ${systemCodeOf(error) ?? messageOf(error)}.`,
    }
  }
}

const MOST_BYTES = 256 * 1024

/** Reads a folder's declaration as it is now. Never rejects: a file that can't be read is a `problem`. */
export async function declarationOf(confines: Confines): Promise<Declaration> {
  const file = await readToShow(confines, declarationFile, MOST_BYTES)
  if (!file.ok) return file.say === 'no such file' ? nothingDeclared : broken(file.text)
  if (file.size > MOST_BYTES) return broken(`${declarationFile} is larger than 256 KiB.`)
  try {
    return readDeclaration(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file.bytes))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return broken(`${declarationFile} is not UTF-8 text.`)
  }
}

const broken = (problem: string): Declaration => ({ checks: [], problem })
