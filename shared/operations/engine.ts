import type { CrashView } from '../crash.ts'
import type { DoctorFinding } from '../doctor.ts'
import type { FoundAgent } from '../setup/agent-standing.ts'
import { followedSubjects, type EngineStatus, type EngineUpdate } from '../state.ts'
import { call, takes } from './operation.ts'

/** The engine itself. */
export const engineOperations = {
  status: call.query<EngineStatus>(),
  agents: call.query<readonly FoundAgent[]>(),
  doctor: call.query<readonly DoctorFinding[]>(),
  follow: call.subscription<EngineUpdate>(),
  /** of `follow` the updates about one subject alone, after a snapshot without sessions: for lists of many machines */
  followSubject: takes((z) => z.enum(followedSubjects)).subscription<EngineUpdate>(),

  /** Onward ended by itself; null: it did not, or its reports were deleted */
  lastCrash: call.query<CrashView | null>(),
  /** deletes the reports of all crashes */
  forgetCrashes: call.mutation<void>(),

  /** a new link to the dashboard, good for one window */
  dashboardLink: call.mutation<string>(),
  /** every dashboard window needs a new link from now on; links that were not used yet count for nothing */
  signOutWindows: call.mutation<void>(),

  /** asks a running engine to end so that another host can take over; agents keep running */
  handOver: call.mutation<void>(),
  /**
   * Returns the engine's unfinished work: requests and what follows them, followups on their way, reviews, alarms that
   * are due, updates for viewers. Empty: it is at rest, all is on the disk, and nothing comes without a person, an
   * agent or a set time.
   */
  underWay: call.query<readonly string[]>(),
}
