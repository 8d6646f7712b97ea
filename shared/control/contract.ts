/**
 * The control API: what dashboard, window, tray and command line can ask of the engine. One interface, one set of
 * schemas; the tRPC router beside it only hands calls through, so the three hosts can't drift apart.
 */
import { z } from 'zod'
import type { AgentStanding } from '../setup/agent-standing.ts'
import type { SetSettingInput } from './settings.ts'
import type { SetSwitchInput } from './switches.ts'
import { clientKinds, entryProtocols, requestKinds, type ClientKind } from '../words.ts'
import type { AdoptablePane, AdoptablePanesInput, AdoptPaneInput } from '../setup/adopting.ts'
import type { AlarmsView, AlarmView, ReadTime } from '../alarms/alarms.ts'
import type { ConfigSaved, ConfigTextView } from '../config/config-text.ts'
import { repeatRequestShape } from '../alarms/repeat-shape.ts'
import type { CrashView } from '../crash.ts'
import type { DoctorFact } from '../doctor.ts'
import type { CostView } from '../cost/cost-view.ts'
import { type TimelineEvent } from '../events.ts'
import { noticeClasses } from '../notice-classes.ts'
import type { ProviderDetails, ProviderModels, UpdateProviderInput } from './provider-edit.ts'
import type { AgentSetup, FoundAccess, ProviderTrial, SetUpAgentInput, SetUpClient } from '../setup/first-run.ts'
import type { FolderListing } from '../setup/folders.ts'
import type { LogPage } from '../log-page.ts'
import { outsideKinds, type OutsideTest, type OutsideView } from '../notifications.ts'
import { providerTypes, routeCategories } from '../config/schema.ts'
import type { ReportView } from '../report.ts'
import type { FolderChecks, RoundView } from '../review.ts'
import type { ProviderTest, ProviderView, RouteAnswer, RouteQuestion, RoutingView } from '../routing.ts'
import type { SecretPlace, SecretsView } from '../secrets/secrets.ts'
import type { NewLocalKey, SettingsView } from '../settings.ts'
import type {
  ActivityView,
  EngineStatus,
  EngineUpdate,
  OutboxEntryView,
  SessionView,
  TerminalChunk,
  TerminalView,
  TurnRecord,
} from '../state.ts'

const id = z.string().min(1).max(512)

export const stopMessageSetInput = z.object({
  session: id,
  text: z.string().max(65_536).optional(),
  /** null: unbounded */
  rounds: z.number().int().min(1).nullable().optional(),
  review: z.boolean().optional(),
  /** the agent is idle: the first one is typed now, and not when the next turn ends */
  now: z.boolean().optional(),
})
/** what is left out stays as it is; rounds used stay in any case */
export const stopMessageEditInput = z.object({
  session: id,
  text: z.string().trim().min(1).max(65_536).optional(),
  rounds: z.number().int().min(1).nullable().optional(),
  review: z.boolean().optional(),
})
/** `marker`: the id of one in the session's `heldMarkers` */
export const heldMarkerInput = z.object({ session: id, marker: id })
const checkName = z.string().trim().min(1).max(200)
const checkArgv = z.array(z.string().max(8_192)).min(1).max(200)
/** `argv`: as the person saw it; a check that reads otherwise by now is not approved */
export const approveCheckInput = z.object({ session: id, name: checkName, argv: checkArgv })
export const checkInput = z.object({ session: id, name: checkName })
/** `command`: as one types it; never handed to a shell */
export const declareCheckInput = z.object({
  session: id,
  name: checkName.optional(),
  command: z.string().trim().min(1).max(8_192),
  timeoutSeconds: z.number().int().min(1).max(7_200).optional(),
})
/** null: never; left out: stays as it is */
export const budgetsInput = z.object({
  rounds: z.number().int().positive().nullable().optional(),
  hours: z.number().positive().nullable().optional(),
  noProgressRounds: z.number().int().positive().nullable().optional(),
  tokens: z.number().int().positive().nullable().optional(),
  costUsd: z.number().positive().nullable().optional(),
})
/** `standIn`: `provider.model` */
export const outageInput = z.object({ session: id, tell: z.boolean(), standIn: z.string().max(512).nullable() })
export type OutageInput = z.infer<typeof outageInput>
export const openTerminalInput = z.object({
  client: z.enum(clientKinds),
  /** argv for `other`; extra arguments for a known agent */
  args: z.array(z.string()).default([]),
  cwd: z.string().optional(),
  name: z.string().max(200).optional(),
  cols: z.number().int().min(2).max(1000).default(120),
  rows: z.number().int().min(2).max(1000).default(40),
  /** environment of the person's shell, where the CLI opens the terminal; never logged or stored */
  env: z.record(z.string(), z.string()).optional(),
  /** watched for so many milliseconds: what ends in them with an error counts as not opened */
  watchMs: z.number().int().min(0).max(10_000).optional(),
})
/** as a person writes it: `~` and what lies in it, too; empty: their home */
export const listFolderInput = z.object({ path: z.string().max(4_096), hidden: z.boolean().default(false) })
/** `question`, `about`, `choice`: as they were shown */
export const answerDialogInput = z.object({
  terminalId: id,
  question: z.string().max(4_000).nullable(),
  about: z.string().max(4_000).nullable(),
  choice: z.string().max(4_000),
})
export const registerTerminalInput = z.object({
  client: z.enum(clientKinds),
  args: z.array(z.string()).default([]),
  cwd: z.string(),
  name: z.string().optional(),
  /** identity that survives a restart of the client: rebinding moves state by it */
  daemonId: z.string().optional(),
  place: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('tmux'), socket: z.string(), paneId: z.string().regex(/^%\d+$/) }),
    z.object({ kind: z.literal('wrapped'), hostId: id }),
    /**
     * no terminal Onward could type into: stdio is a pipe or a file (`codex exec … | jq`), or a daemon registers itself
     */
    z.object({ kind: z.literal('none') }),
  ]),
})
/** `ending`: how its agent ended, where the launcher could start it again */
export const terminalEndedInput = z.object({
  terminalId: id,
  exitCode: z.number().int().nullable(),
  ending: z
    .object({ signal: z.string().nullable(), asked: z.enum(['person', 'told']).nullable(), resumes: z.boolean() })
    .optional(),
})
export const instant = z.number().int().min(0).max(8_640_000_000_000_000)
const taskText = z.string().trim().min(1).max(4_000)
/** `repeat`: it comes again; `dueAt` is its first time */
export const addAlarmInput = z.object({
  session: id,
  dueAt: instant,
  task: taskText,
  repeat: repeatRequestShape.optional(),
})
/** what is left out stays as it is */
export const editAlarmInput = z.object({
  alarm: id,
  dueAt: instant.optional(),
  task: taskText.optional(),
  repeat: repeatRequestShape.optional(),
})
export const snoozeAlarmInput = z.object({
  alarm: id,
  minutes: z
    .number()
    .int()
    .min(1)
    .max(7 * 24 * 60)
    .default(10),
})
export const settleMissedInput = z.object({
  missed: id,
  how: z.discriminatedUnion('kind', [
    /** again, now, by whatever route there is */
    z.object({ kind: z.literal('deliver') }),
    z.object({ kind: z.literal('dismiss') }),
    z.object({ kind: z.literal('reschedule'), dueAt: instant }),
  ]),
})
export const timelineInput = z.object({
  session: id.nullable(),
  beforeSeq: z.number().int().optional(),
  limit: z.number().int().min(1).max(500).default(100),
})

export const routeQuestionInput: z.ZodType<RouteQuestion> = z.object({
  entry: z.enum(entryProtocols).default('messages'),
  model: z.string().max(512).nullable().default(null),
  tokens: z.number().int().min(0).max(100_000_000).default(0),
  thinking: z.boolean().default(false),
  image: z.boolean().default(false),
  webSearch: z.boolean().default(false),
  kind: z.enum(requestKinds).default('turn'),
  session: id.nullable().default(null),
})
/** the whole pool of one route; empty: the route goes */
export const saveRouteInput = z.object({
  category: z.enum(routeCategories),
  pool: z.array(z.object({ target: z.string().min(3).max(512), weight: z.number().positive().nullable() })).max(100),
})
/** what the engine reads at most, and a little */
export const configText = z.string().max(5 * 1024 * 1024)
export const addProviderInput = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  /** of a preset (shared/config/presets.ts); null: `type` and `baseUrl` say it all */
  preset: z.string().nullable(),
  type: z.enum(providerTypes),
  baseUrl: z.url({ protocol: /^https?$/ }).nullable(),
  auth: z.enum(['key', 'client', 'none']),
  /** `secret` is kept apart from the config, in a place only the person can read */
  key: z
    .union([z.object({ env: z.string().min(1).max(200) }), z.object({ secret: z.string().min(1).max(10_000) })])
    .nullable(),
  models: z.array(z.string().min(1).max(512)).max(1_000).default([]),
})
/** `revision`: of the text the edit began with */
export const saveConfigInput = z.object({ text: configText, revision: z.string().max(100) })
export const logPageInput = z.object({
  cursor: z.string().max(100).nullable(),
  lines: z.number().int().min(1).max(10_000),
})
/** `was`: the name of the one that is changed; null: a new one */
export const saveOutsideInput = z.object({
  was: z.string().max(64).nullable(),
  name: z.string().trim().min(1).max(64),
  kind: z.enum(outsideKinds),
  /** the address, kept apart from the config; null: stays as it is */
  url: z.string().max(2_000).nullable(),
  /** a bearer token, kept likewise; null: stays as it is; empty: none */
  token: z.string().max(2_000).nullable(),
  on: z.boolean(),
  /** null: all */
  classes: z.array(z.enum(noticeClasses)).nullable(),
  texts: z.boolean(),
})
/** what is left out stays as it is */
export const quietHoursInput = z.object({
  on: z.boolean().optional(),
  from: z.string().max(5).optional(),
  to: z.string().max(5).optional(),
  needsYou: z.boolean().optional(),
  ownAlarms: z.boolean().optional(),
})
export const activityHours = [24, 168, 720] as const

export type AnswerDialogInput = z.infer<typeof answerDialogInput>
export type SaveOutsideInput = z.infer<typeof saveOutsideInput>
export type QuietHoursInput = z.infer<typeof quietHoursInput>
export type SaveRouteInput = z.infer<typeof saveRouteInput>
export type SaveConfigInput = z.infer<typeof saveConfigInput>
export type LogPageInput = z.infer<typeof logPageInput>
export type AddProviderInput = z.infer<typeof addProviderInput>
export type StopMessageSetInput = z.infer<typeof stopMessageSetInput>
export type StopMessageEditInput = z.infer<typeof stopMessageEditInput>
export type HeldMarkerInput = z.infer<typeof heldMarkerInput>
export type ApproveCheckInput = z.infer<typeof approveCheckInput>
export type CheckInput = z.infer<typeof checkInput>
export type DeclareCheckInput = z.infer<typeof declareCheckInput>
export type BudgetsInput = z.infer<typeof budgetsInput>
export type OpenTerminalInput = z.infer<typeof openTerminalInput>
export type ListFolderInput = z.infer<typeof listFolderInput>
export type TerminalEndedInput = z.infer<typeof terminalEndedInput>
export type RegisterTerminalInput = z.infer<typeof registerTerminalInput>
export type AddAlarmInput = z.infer<typeof addAlarmInput>
export type EditAlarmInput = z.infer<typeof editAlarmInput>
export type SnoozeAlarmInput = z.infer<typeof snoozeAlarmInput>
export type SettleMissedInput = z.infer<typeof settleMissedInput>
export type TimelineInput = z.infer<typeof timelineInput>

/** How to start an agent so that it talks to Onward: for that process only, nothing of the person's is edited. */
export interface LaunchPlan {
  terminalId: string
  /** argv[0] is the program, found through the login shell's PATH */
  argv: readonly string[]
  /** added to the person's environment; carries the terminal's key */
  env: Readonly<Record<string, string>>
  /** what wins over that and may send its calls elsewhere: arguments, files of the administrator's */
  elsewhere?: readonly string[]
  /** it is started again when it ends by itself: an engine that is away for a moment then is waited for */
  startsAgain?: boolean
}

export interface FoundAgent {
  client: ClientKind
  path: string
  version: string | null
  standing: AgentStanding
}

export interface DoctorFinding {
  check: string
  ok: boolean
  /** in English */
  say: string
  mend: string | null
  /** the same as data, for a page in another language; absent: there are only the English words */
  fact?: DoctorFact
}

/**
 * `session` arguments take a session id, its unambiguous beginning, its name, or a terminal id. A terminal that has had
 * no turn yet stands for the conversation it will have: in `session`, `say`, those of stopMessage, checks, rounds,
 * pause and resume, whose SessionView has the terminal's id then. Errors: OnwardError codes.
 */
export interface ControlApi {
  status(): Promise<EngineStatus>
  sessions(): Promise<readonly SessionView[]>
  session(session: string): Promise<SessionView>
  terminals(): Promise<readonly TerminalView[]>
  timeline(input: TimelineInput): Promise<readonly TimelineEvent[]>
  turns(limit: number): Promise<readonly TurnRecord[]>
  /** @throws OnwardError `turn-unknown` */
  turn(requestId: string): Promise<TurnRecord>
  activity(hours: (typeof activityHours)[number]): Promise<ActivityView>
  /** what was spent today, or in so many days with today */
  costs(days: number): Promise<CostView>
  /** what happened since then; null: since 18:00 of the day before, where the engine runs */
  report(since: number | null): Promise<ReportView>
  providers(): Promise<readonly ProviderView[]>
  routing(): Promise<RoutingView>
  /** a dry run: nothing is sent, nothing changes */
  routeCheck(question: RouteQuestion): Promise<RouteAnswer>
  agents(): Promise<readonly FoundAgent[]>
  doctor(): Promise<readonly DoctorFinding[]>
  logs(lines: number): Promise<readonly string[]>
  /** the end of the log, or the lines after a page of it */
  logPage(input: LogPageInput): Promise<LogPage>

  setStopMessage(input: StopMessageSetInput): Promise<SessionView>
  clearStopMessage(session: string): Promise<SessionView>
  rearmStopMessage(session: string): Promise<SessionView>
  /**
   * types the first followup of what is armed now, with all checks of a followup; while a turn runs its end does it.
   * @throws `nothing-armed`
   */
  startStopMessage(session: string): Promise<SessionView>
  /**
   * a goal that was set in another conversation of its terminal (`leftGoal`) goes on in this one: its next followup is
   * typed at once. @throws `no-left-goal`
   */
  carryOnStopMessage(session: string): Promise<SessionView>
  addRounds(session: string, rounds: number): Promise<SessionView>
  /**
   * changes goal, rounds or review while it runs; a review or followup made for the old goal is dropped. @throws
   * `nothing-armed`
   */
  editStopMessage(input: StopMessageEditInput): Promise<SessionView>
  /**
   * a person's decision to follow a held marker; then it counts as one of theirs. @throws `marker-unknown`, `one-turn`
   * (it was for a turn that is over), `goal-unseen` | `goal-changed` (a person has yet to look at the content of its
   * file), and why it was refused
   */
  applyMarker(input: HeldMarkerInput): Promise<SessionView>
  /** stops offering it. @throws `marker-unknown` */
  forgetMarker(input: HeldMarkerInput): Promise<SessionView>
  /** the last rounds of what is or was armed there, newest first, at most 40 */
  rounds(session: string): Promise<readonly RoundView[]>
  /** checks of the folder the session's agent works in, read now */
  checks(session: string): Promise<FolderChecks>
  /**
   * a person's permission for exactly this to run in exactly this folder. @throws `check-unknown`, `check-changed` when
   * it reads otherwise by now, `no-folder`
   */
  approveCheck(input: ApproveCheckInput): Promise<FolderChecks>
  /** takes the approval back; one that the dashboard declared goes altogether */
  forgetCheck(input: CheckInput): Promise<FolderChecks>
  /** declared by a person and so approved. @throws `bad-command`, `check-exists`, `no-folder` */
  declareCheck(input: DeclareCheckInput): Promise<FolderChecks>
  /** runs an approved one now. @throws `check-unknown`, `check-not-approved`, `check-running` */
  runCheck(input: CheckInput): Promise<FolderChecks>
  /** writes the config; counts from now on for every session. @throws as addProvider */
  setBudgets(input: BudgetsInput): Promise<NonNullable<EngineStatus['budgets']>>
  pause(session: string | null): Promise<void>
  resume(session: string | null): Promise<void>
  say(session: string, text: string): Promise<OutboxEntryView>
  editEntry(entryId: string, revision: number, text: string): Promise<OutboxEntryView>
  cancelEntry(entryId: string): Promise<void>
  sendEntryNow(entryId: string): Promise<void>
  moveEntry(entryId: string, beforeEntryId: string | null): Promise<void>
  renameSession(session: string, name: string): Promise<SessionView>
  pinSession(session: string, pinned: boolean): Promise<SessionView>
  /** puts it away until its next turn, or brings it back; nothing of it is lost or stopped */
  archiveSession(session: string, archived: boolean): Promise<SessionView>
  /**
   * Takes away all that is kept of it: its goal, queue and alarms too. What it cost stays in the totals; a later turn
   * begins a new session. @throws `session-working`, `session-queued`, `store-failed`
   */
  deleteSession(session: string): Promise<void>

  /** a real, small call with each key in turn until one answers, or with `key` only; in the records it is a probe */
  testProvider(provider: string, key?: string): Promise<ProviderTest>
  /** @throws `unknown-provider` */
  providerDetails(provider: string): Promise<ProviderDetails>
  /**
   * in one write. @throws as addProvider, `provider-changed` where the config says something else of it by now,
   * `provider-exists`, `unknown-provider`, `bad-key`
   */
  updateProvider(input: UpdateProviderInput): Promise<ProviderDetails>
  /** the models it lists itself; nothing is written. @throws `unknown-provider` */
  providerModels(provider: string): Promise<ProviderModels>
  /**
   * writes the config, comments kept. @throws OnwardError `config-invalid` | `config-changed` | `store-failed`; then
   * nothing was written
   */
  addProvider(input: AddProviderInput): Promise<void>
  removeProvider(provider: string): Promise<void>
  saveRoute(input: SaveRouteInput): Promise<RoutingView>
  /**
   * takes back the last change made through this API. @throws OnwardError `config-changed` when the file was edited
   * since
   */
  undoConfig(): Promise<RoutingView>
  /** the config file as it is now. It may hold keys: never logged, and for the person only. */
  configText(): Promise<ConfigTextView>
  /** what is wrong in a text; nothing is written */
  checkConfigText(text: string): Promise<ConfigTextView['problems']>
  /** writes the whole text where it is right and the file is still the one the edit began with */
  saveConfigText(input: SaveConfigInput): Promise<ConfigSaved>
  /**
   * puts the last text that was right in the place of the wrong one, which is kept beside it. @throws OnwardError
   * `nothing-to-put-back` | `config-changed` | `store-failed`; then the file is as it was
   */
  putBackConfig(): Promise<{ kept: string }>
  /** sign-ins and keys on this machine; no value of any key */
  foundAccess(): Promise<readonly FoundAccess[]>
  /** adds it as a provider. @returns its id. @throws `access-gone`, `access-unusable`, as addProvider */
  useAccess(access: string): Promise<string>
  /**
   * testProvider; where it answers and there is no route `default`, that gets one of its models. @throws as addProvider
   */
  tryProvider(provider: string): Promise<ProviderTrial>
  /** agents whose own settings can be pointed at Onward, with what would change in them */
  agentSetups(): Promise<readonly AgentSetup[]>
  /** @throws `setup-refused`, `setup-changed` when a file is not as it was shown, `store-failed` */
  setUpAgent(input: SetUpAgentInput): Promise<void>
  /** gives back every byte. @throws `setup-unknown`, `setup-changed` when the file was written since, `store-failed` */
  undoAgentSetup(client: SetUpClient): Promise<void>
  /**
   * opens a small agent on the simulator that is kept going three times; then an alarm rings. @throws as openTerminal
   */
  startDemo(): Promise<TerminalView>
  /** writes one member of the config, comments kept. @throws as addProvider */
  setSwitch(input: SetSwitchInput): Promise<void>
  /** single settings with their bounds, and who may call; no value of any key */
  settings(): Promise<SettingsView>
  /** writes one member of the config, comments kept; null takes it out. @throws as addProvider */
  setSetting(input: SetSettingInput): Promise<SettingsView>
  /** makes one that callers may send; the config keeps its hash only. @throws as addProvider, and `key-exists` */
  addLocalKey(alias: string): Promise<NewLocalKey>
  /** @throws as addProvider, and `key-unknown` */
  removeLocalKey(id: string): Promise<SettingsView>
  /** where keys are kept, as far as it is known without asking the keychain */
  secretsKept(): Promise<SecretsView>
  /**
   * moves all keys, and keeps new ones there. Each is in its old place until it is whole in the new one.
   * @throws `keychain-unreachable`, `store-failed`; what could not be moved is where it was
   */
  moveSecrets(to: SecretPlace): Promise<SecretsView>
  /** continues the session when the limit that stops it lifts; off also takes back what waits */
  setResumeAtReset(session: string, on: boolean): Promise<SessionView>
  /** whether a turn of it that fails goes on when its provider answers again; off also takes back what waits */
  setRecover(session: string, on: boolean): Promise<SessionView>
  /** takes back the one continuation that waits, and leaves the switch on */
  cancelResume(session: string): Promise<SessionView>
  /**
   * Applies while a session's turns fail: `tell` notifies a person when the failed target answers again, `standIn`
   * takes the turns until then. With neither, an earlier request is taken back. @throws `no-outage` where no turn
   * failed, `unknown-target`
   */
  setOutage(input: OutageInput): Promise<SessionView>
  setCapture(session: string, on: boolean): Promise<SessionView>
  /**
   * Switches a tool of Onward's, or all of them (null). `on` null: as it is by itself. @throws as addProvider does, and
   * `servertool-unknown`, `servertool-env`
   */
  setServertool(tool: string | null, on: boolean | null): Promise<NonNullable<EngineStatus['servertools']>>

  /** writes the config in one write; counts from now on. @throws as addProvider */
  setQuietHours(input: QuietHoursInput): Promise<NonNullable<EngineStatus['quietHours']>>
  /**
   * a place outside of this machine that notices are sent to. @throws as addProvider, and `outside-exists`,
   * `bad-address`
   */
  saveOutside(input: SaveOutsideInput): Promise<readonly OutsideView[]>
  /** @throws as addProvider, and `outside-unknown` */
  removeOutside(name: string): Promise<readonly OutsideView[]>
  /** a real message, sent once. @throws `outside-unknown` */
  testOutside(name: string): Promise<OutsideTest>

  alarms(): Promise<AlarmsView>
  /** the alarms of one session, delivered ones among them, next due first */
  alarmsOf(session: string): Promise<readonly AlarmView[]>
  /**
   * on the disk when it resolves. @throws OnwardError `alarm-over` (its time is long past), `store-failed`, `clock-off`
   */
  addAlarm(input: AddAlarmInput): Promise<AlarmView>
  /**
   * `alarm`: its id or an unambiguous beginning. A new time makes a delivered one wait again; of a repeated one it
   * moves the next time only, which the answer is, unless there is a `repeat`, too. @throws `alarm-unknown`,
   * `alarm-under-way`, `bad-repeat`, as addAlarm
   */
  editAlarm(input: EditAlarmInput): Promise<AlarmView>
  /** rings again so many minutes from now; also one that was delivered or missed. @throws as editAlarm */
  snoozeAlarm(input: SnoozeAlarmInput): Promise<AlarmView>
  /** of a repeated one all that is to come. @throws as editAlarm */
  cancelAlarm(alarm: string): Promise<void>
  /**
   * leaves out the next time of a repeated one. @returns what comes then; null: that was the last. @throws as
   * editAlarm, `alarm-single`
   */
  skipAlarm(alarm: string): Promise<AlarmView | null>
  /** takes back a cancel, or the last skip. @throws `alarm-unknown` when it was not cancelled lately */
  restoreAlarm(alarm: string): Promise<AlarmView>
  /** a person's decision on a missed one. @throws `missed-unknown`, as addAlarm */
  settleMissed(input: SettleMissedInput): Promise<void>
  dismissAllMissed(): Promise<void>
  /** reads “in 20 min”, “tomorrow 9:00”, “明天 9 点” or an ISO instant, in the engine's zone; changes nothing */
  readTime(text: string): Promise<ReadTime>

  openTerminal(input: OpenTerminalInput): Promise<TerminalView>
  /** where agents were last started or seen, the last one first */
  recentFolders(): Promise<readonly string[]>
  /** names of folders, of no files. @throws `folder-not-found`, `folder-not-readable`, `not-a-folder` */
  listFolder(input: ListFolderInput): Promise<FolderListing>
  registerTerminal(input: RegisterTerminalInput): Promise<LaunchPlan>
  /** tmux panes with an agent that is not known yet; looked for now, and only when asked */
  adoptablePanes(input: AdoptablePanesInput): Promise<readonly AdoptablePane[]>
  /**
   * registers an agent that was started in a tmux pane by hand; a known one is answered as it is.
   * @throws `pane-unknown`, `pane-changed` (another pane has its id by now), `pane-no-agent`
   */
  adoptPane(input: AdoptPaneInput): Promise<TerminalView>
  /**
   * the launched agent ended; nothing may be typed there any more. Not null: the launcher starts it again after so
   * long, going on with this conversation, or where that is null with the one it was started with
   */
  terminalEnded(input: TerminalEndedInput): Promise<{ conversation: string | null; waitMs: number } | null>
  closeTerminal(terminalId: string): Promise<void>
  renameTerminal(terminalId: string, name: string): Promise<void>
  /**
   * the screen of a terminal, for teaching Onward this screen: its letters are `x`, its digits `9`; signs, colours and
   * layout stay. @throws `terminal-unknown`, `terminal-offline`, `terminal-gone`
   */
  reportScreen(terminalId: string): Promise<string>
  writeTerminal(terminalId: string, data: string): Promise<void>
  resizeTerminal(terminalId: string, cols: number, rows: number): Promise<void>
  /**
   * for a person only: presses the key of a choice that the agent's open dialog offers, in a terminal of Onward's own.
   * @throws `dialog-changed` where it asks something else by now, `no-key`, `not-ours`, `terminal-unknown`
   */
  answerDialog(input: AnswerDialogInput): Promise<void>

  /** Onward ended by itself; null: it did not, or its reports were deleted */
  lastCrash(): Promise<CrashView | null>
  /** deletes the reports of all crashes */
  forgetCrashes(): Promise<void>

  /** a new link to the dashboard, good for one window */
  dashboardLink(): Promise<string>
  /** every dashboard window needs a new link from now on; links that were not used yet count for nothing */
  signOutWindows(): Promise<void>

  /** asks a running engine to end so that another host can take over; agents keep running */
  handOver(): Promise<void>
  /**
   * Returns the engine's unfinished work: requests and what follows them, followups on their way, reviews, alarms that
   * are due, updates for viewers. Empty: it is at rest, all is on the disk, and nothing comes without a person, an
   * agent or a set time.
   */
  underWay(): Promise<readonly string[]>

  follow(signal: AbortSignal): AsyncIterable<EngineUpdate>
  watchTerminal(terminalId: string, signal: AbortSignal): AsyncIterable<TerminalChunk>
}
