import type { CrashView } from '../crash.ts'
import type { DoctorFinding } from '../doctor.ts'
import type { FoundAgent } from '../setup/agent-standing.ts'
import { followedSubjects, type EngineStatus, type EngineUpdate, type TerminalView } from '../state.ts'
import { call, takes, id } from './operation.ts'
import { type AgentSetup, type FoundAccess, type ProviderTrial, setUpClients } from '../setup/first-run.ts'

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

/** The first minute: what is on this machine, agents set up for good, a demo. */
export const setupOperations = {
  /** sign-ins and keys on this machine; no value of any key */
  foundAccess: call.query<readonly FoundAccess[]>(),
  /** adds it as a provider. @returns its id. @throws `access-gone`, `access-unusable`, as addProvider */
  useAccess: takes(id).mutation<string>(),
  /**
   * testProvider; where it answers and there is no route `default`, that gets one of its models. @throws as addProvider
   */
  tryProvider: takes(id).mutation<ProviderTrial>(),
  /** agents whose own settings can be pointed at Onward, with what would change in them */
  agentSetups: call.query<readonly AgentSetup[]>(),
  /** @throws `setup-refused`, `setup-changed` when a file is not as it was shown, `store-failed` */
  setUpAgent: takes((z) =>
    z.object({ client: z.enum(setUpClients), fingerprint: z.string().min(1).max(200) }),
  ).mutation<void>(),
  /** gives back every byte. @throws `setup-unknown`, `setup-changed` when the file was written since, `store-failed` */
  undoAgentSetup: takes((z) => z.enum(setUpClients)).mutation<void>(),
  /**
   * opens a small agent on the simulator that is kept going three times; then an alarm rings. @throws as openTerminal
   */
  startDemo: call.mutation<TerminalView>(),
}
