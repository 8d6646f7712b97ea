import type { FolderChecks, RoundView } from '../review.ts'
import type { EngineStatus, SessionView } from '../state.ts'
import { id, some, takes, whole, type Zod } from './operation.ts'

/** null: unbounded */
const rounds = (z: Zod) => z.number().int().min(1).nullable().optional()
const checkName = (z: Zod) => z.string().trim().min(1).max(200)
const check = (z: Zod) => z.object({ session: id(z), name: checkName(z) })

/** Keeping a session going: stopMessage, its rounds, the checks of its folder. */
export const goalOperations = {
  setStopMessage: takes((z) =>
    z.object({
      session: id(z),
      text: z.string().max(65_536).optional(),
      rounds: rounds(z),
      review: z.boolean().optional(),
      /** the agent is idle: the first one is typed now, and not when the next turn ends */
      now: z.boolean().optional(),
    }),
  ).mutation<SessionView>(),
  /**
   * Another program asks for a goal: it waits as a held marker of the session until a person applies or forgets it.
   * @throws `session-unknown`; `goal-not-asked` where it can't be kept
   */
  askForGoal: takes((z) =>
    z.object({
      session: id(z),
      text: z.string().trim().min(1).max(16_000),
      rounds: rounds(z),
      review: z.boolean().default(true),
    }),
  ).mutation<SessionView>(),
  clearStopMessage: takes(id).mutation<SessionView>({ undo: (session) => ['rearmStopMessage', session] }),
  rearmStopMessage: takes(id).mutation<SessionView>(),
  /**
   * types the first followup of what is armed now, with all checks of a followup; while a turn runs its end does it.
   * @throws `nothing-armed`
   */
  startStopMessage: takes(id).mutation<SessionView>(),
  /**
   * a goal that was set in another conversation of its terminal (`leftGoal`) goes on in this one: its next followup is
   * typed at once. @throws `no-left-goal`
   */
  carryOnStopMessage: takes(id).mutation<SessionView>(),
  addRounds: takes((z) => z.object({ session: id(z), rounds: z.number().int().min(1) })).mutation<SessionView>(),
  /**
   * Changes goal, rounds or review while it runs; what is left out, and the rounds used, stay as they are. A review or
   * followup made for the old goal is dropped. @throws `nothing-armed`
   */
  editStopMessage: takes((z) =>
    z.object({
      session: id(z),
      text: z.string().trim().min(1).max(65_536).optional(),
      rounds: rounds(z),
      review: z.boolean().optional(),
    }),
  ).mutation<SessionView>(),
  /** the last rounds of what is or was armed there, newest first, at most 40 */
  rounds: takes(id).query<readonly RoundView[]>(),
  /** checks of the folder the session's agent works in, read now */
  checks: takes(id).query<FolderChecks>(),
  /**
   * A person's permission for exactly this to run in exactly this folder; `argv`: as they saw it. @throws
   * `check-unknown`, `check-changed` when it reads otherwise by now, `no-folder`
   */
  approveCheck: takes((z) =>
    z.object({ session: id(z), name: checkName(z), argv: z.array(z.string().max(8_192)).min(1).max(200) }),
  ).mutation<FolderChecks>(),
  /** takes the approval back; one that the dashboard declared goes altogether */
  forgetCheck: takes(check).mutation<FolderChecks>(),
  /**
   * declared by a person and so approved; `command`: as one types it, never handed to a shell. @throws `bad-command`,
   * `check-exists`, `no-folder`
   */
  declareCheck: takes((z) =>
    z.object({
      session: id(z),
      name: checkName(z).optional(),
      command: z.string().trim().min(1).max(8_192),
      timeoutSeconds: z.number().int().min(1).max(7_200).optional(),
    }),
  ).mutation<FolderChecks>(),
  /** runs an approved one now. @throws `check-unknown`, `check-not-approved`, `check-running` */
  runCheck: takes(check).mutation<FolderChecks>(),
  /** writes the config; counts from now on for every session. @throws as addProvider */
  setBudgets: takes((z) =>
    z.object({ rounds: whole(z), hours: some(z), noProgressRounds: whole(z), tokens: whole(z), costUsd: some(z) }),
  ).mutation<NonNullable<EngineStatus['budgets']>>(),
}
