import type { ControlApi } from '../../../../shared/operations/index.ts'
import type { TimelineEvent } from '../../../../shared/events.ts'
import { eveningBefore, type ReportDiff, type ReportView } from '../../../../shared/report.ts'
import type { Clock } from '../../base/clock.ts'
import { ownTurn } from '../../base/work.ts'
import type { Timeline } from '../../records/timeline.ts'
import { reportSteps, withDiffs } from '../../report/fold-report.ts'
import type { Viewing } from '../views/viewing.ts'

export interface ReportApiDeps {
  clock: Clock
  /** resolves when the sessions of earlier runs are in memory */
  loaded: Promise<void>
  timeline: Pick<Timeline, 'loaded' | 'list'>
  viewing: Pick<Viewing, 'sessions'>
  /** what changed in a folder since then; null: unknown */
  diffOf(folder: string, since: number): Promise<ReportDiff | null>
}

/** Events this long before the period are read too: they show how a session stood when it began. */
const LEAD_MS = 24 * 3_600_000
/** events read between two turns of the event loop */
const page = 200
/** no more folders than these are looked at, because someone waits for the report */
const mostFolders = 20

/** The report on the time a person was away; `reportOf`: on one session, as if there were no others. */
export function reportApi({ clock, loaded, timeline, viewing, diffOf }: ReportApiDeps) {
  const reportOf = async (wanted: number | null, session: string | null): Promise<ReportView> => {
    await Promise.all([loaded, timeline.loaded])
    const until = clock.now()
    const since = wanted ?? eveningBefore(until)
    const all = await eventsFrom(timeline, since - LEAD_MS)
    // that the engine ended and began says why nothing happened
    const events =
      session === null
        ? all
        : all.filter(({ sessionId, body }) => sessionId === session || (sessionId === null && body.type === 'engine'))
    const sessions = viewing.sessions().filter(({ id }) => session === null || id === session)
    const recordsFrom = all[0]?.at ?? until
    const report = await inSteps(reportSteps({ events, recordsFrom, since, until, sessions }))
    const folders = [...new Set(report.sessions.flatMap(({ cwd }) => cwd ?? []))].slice(0, mostFolders)
    const diffs = await Promise.all(folders.map(async (folder) => [folder, await diffOf(folder, report.from)] as const))
    return withDiffs(report, new Map(diffs.flatMap(([folder, diff]) => (diff ? [[folder, diff]] : []))))
  }
  return { report: (since) => reportOf(since, null), reportOf } satisfies Partial<ControlApi> & {
    reportOf: typeof reportOf
  }
}

async function inSteps(steps: Generator<void, ReportView, void>): Promise<ReportView> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await ownTurn()
  }
}

/** Oldest first, with some from before: they show that the records reach further back. */
async function eventsFrom(timeline: ReportApiDeps['timeline'], from: number): Promise<readonly TimelineEvent[]> {
  const pages: (readonly TimelineEvent[])[] = []
  for (let beforeSeq = Number.POSITIVE_INFINITY; ;) {
    const found = timeline.list({ session: null, beforeSeq, limit: page })
    pages.push(found)
    const [oldest] = found
    if (!oldest || oldest.at < from) break
    beforeSeq = oldest.seq
    await ownTurn()
  }
  return pages.reverse().flat()
}
