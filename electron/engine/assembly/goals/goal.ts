import { access } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { addSpend, noSpend, tokensOf } from '../../../../shared/cost/cost.ts'
import type { ReportDiff } from '../../../../shared/report.ts'
import type { Scope } from '../../../../shared/words.ts'
import type { ConfigHandle } from '../../config/types.ts'
import type { EngineHost } from '../../host.ts'
import { createAskReview } from '../../pipeline/internal-calls/ask-review.ts'
import type { InternalCall } from '../../pipeline/internal-calls/internal-call.ts'
import type { TurnRecords } from '../../records/turn-records.ts'
import { createReview } from '../../servertools/review/create-review.ts'
import { createBeads } from '../../servertools/stop-message/beads.ts'
import type { StopMessageDeps } from '../../servertools/stop-message/deps.ts'
import type { SessionStore } from '../../sessions/session-store.ts'
import type { Store } from '../../store/types.ts'
import { changedSince } from '../../workspace/changed-since.ts'
import { createChecks } from '../../workspace/checks/create-checks.ts'
import { changedLines } from '../../workspace/changed-lines.ts'
import type { Checks } from '../../workspace/checks/types.ts'
import { createRunningPrograms } from '../../workspace/running-programs.ts'
import { createWorkspace } from '../../workspace/create-workspace.ts'
import { createProgramEnv } from '../terminals/program-env.ts'

export interface GoalParts {
  host: EngineHost
  config: ConfigHandle
  store: Store
  sessions: SessionStore
  records: Pick<TurnRecords, 'recent'>
  folderOf(scope: Scope): string | null
  internalCall: InternalCall
  /** a folder's checks changed */
  checksShown(): void
}

export interface GoalAssembly {
  deps: StopMessageDeps['goal']
  checks: Checks
  /** what changed in a folder since then; null: unknown, or not known within seconds */
  diffOf(folder: string, since: number): Promise<ReportDiff | null>
  load(): Promise<void>
  /** resolves when nothing that was started for it runs any more */
  dispose(): Promise<void>
}

/** a person waits for the report */
const DIFF_MS = 5_000

/** The parts of goal mode: the folder an agent works in, its checks, its beads, and the reviewer. */
export function assembleGoal(parts: GoalParts): GoalAssembly {
  const { host, config, store, sessions, records } = parts
  const { clock, log, random } = host
  const settings = () => config.current().stopMessage.review
  const programs = createRunningPrograms({ clock, env: createProgramEnv({ host, config: config.current }) })
  const runProgram = programs.run
  const elsewhere = host.env.ROUTECODEX_SESSION_DIR
  const closed = [host.home, ...(elsewhere ? [elsewhere] : [])]
  const checks = createChecks({
    store,
    runProgram,
    clock,
    log,
    closed,
    defaultTimeoutSeconds: () => settings().checkTimeoutSeconds,
    changed: () => parts.checksShown(),
  })
  const beads = createBeads({
    runProgram,
    mode: () => host.env.ROUTECODEX_STOPMESSAGE_BD_MODE,
    exists: (path) =>
      access(path).then(
        () => true,
        () => false,
      ),
  })
  const review = createReview({
    ask: createAskReview({ call: parts.internalCall, recordOf: records.recent }),
    run: runProgram,
    workspaceOf: (folder) => createWorkspace({ folder, runProgram, closed }),
    checks,
    clock,
    random,
    // Never Onward's own folder, which holds its secrets.
    emptyFolder: tmpdir,
    config: settings,
  })
  return {
    checks,
    async diffOf(folder, since) {
      const stop = new AbortController()
      const timer = clock.after(DIFF_MS, () => stop.abort())
      try {
        return await changedLines({ folder, runProgram, closed }, since, stop.signal)
      } finally {
        timer.dispose()
      }
    },
    load: () => checks.load(),
    async dispose() {
      checks.dispose()
      await programs.dispose()
    },
    deps: {
      folderOf: parts.folderOf,
      totalsOf(sessionId) {
        const session = sessionId === null ? null : sessions.get(sessionId)
        return session ? { tokens: tokensOf(session.usage), ...addSpend(noSpend, session) } : null
      },
      changedSince,
      beads,
      checks,
      review,
      backend: () => settings().backend,
    },
  }
}
