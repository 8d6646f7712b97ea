/** The control API as a tRPC router. Every procedure hands its checked input to the ControlApi in the context. */
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { adoptablePanesInput, adoptPaneInput } from '../setup/adopting.ts'
import { setUpAgentInput, setUpClients } from '../setup/first-run.ts'
import { mostCostDays } from '../cost/cost-view.ts'
import {
  activityHours,
  addAlarmInput,
  addProviderInput,
  answerDialogInput,
  approveCheckInput,
  budgetsInput,
  checkInput,
  configText,
  declareCheckInput,
  editAlarmInput,
  heldMarkerInput,
  listFolderInput,
  logPageInput,
  openTerminalInput,
  registerTerminalInput,
  routeQuestionInput,
  saveConfigInput,
  quietHoursInput,
  saveOutsideInput,
  saveRouteInput,
  settleMissedInput,
  snoozeAlarmInput,
  stopMessageEditInput,
  outageInput,
  stopMessageSetInput,
  timelineInput,
  type ControlApi,
} from './contract.ts'
import { secretPlace } from '../secrets/secret-place-shape.ts'
import { factsOf } from '../problems.ts'
import { updateProviderInput } from './provider-edit.ts'
import { addLocalKeyInput, setSettingInput } from './settings.ts'
import { setSwitchInput } from './switches.ts'

export interface ControlContext {
  api: ControlApi
}

const t = initTRPC.context<ControlContext>().create({
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    data: {
      ...shape.data,
      stack: undefined,
      onwardCode: codeOf(error.cause),
      onwardField: fieldOf(error.cause),
      onwardFacts: factsOf(detailsOf(error.cause)),
    },
  }),
})
const call = t.procedure
const id = z.string().min(1).max(512)

export const controlRouter = t.router({
  status: call.query(({ ctx }) => ctx.api.status()),
  sessions: call.query(({ ctx }) => ctx.api.sessions()),
  session: call.input(id).query(({ ctx, input }) => ctx.api.session(input)),
  terminals: call.query(({ ctx }) => ctx.api.terminals()),
  timeline: call.input(timelineInput).query(({ ctx, input }) => ctx.api.timeline(input)),
  turns: call.input(z.number().int().min(1).max(1000)).query(({ ctx, input }) => ctx.api.turns(input)),
  turn: call.input(id).query(({ ctx, input }) => ctx.api.turn(input)),
  costs: call.input(z.int().min(1).max(mostCostDays)).query(({ ctx, input }) => ctx.api.costs(input)),
  activity: call.input(z.literal(activityHours)).query(({ ctx, input }) => ctx.api.activity(input)),
  providers: call.query(({ ctx }) => ctx.api.providers()),
  routing: call.query(({ ctx }) => ctx.api.routing()),
  routeCheck: call.input(routeQuestionInput).query(({ ctx, input }) => ctx.api.routeCheck(input)),
  agents: call.query(({ ctx }) => ctx.api.agents()),
  doctor: call.query(({ ctx }) => ctx.api.doctor()),
  logs: call.input(z.number().int().min(1).max(10_000)).query(({ ctx, input }) => ctx.api.logs(input)),
  logPage: call.input(logPageInput).query(({ ctx, input }) => ctx.api.logPage(input)),

  setStopMessage: call.input(stopMessageSetInput).mutation(({ ctx, input }) => ctx.api.setStopMessage(input)),
  clearStopMessage: call.input(id).mutation(({ ctx, input }) => ctx.api.clearStopMessage(input)),
  rearmStopMessage: call.input(id).mutation(({ ctx, input }) => ctx.api.rearmStopMessage(input)),
  addRounds: call
    .input(z.object({ session: id, rounds: z.number().int().min(1) }))
    .mutation(({ ctx, input }) => ctx.api.addRounds(input.session, input.rounds)),
  startStopMessage: call.input(id).mutation(({ ctx, input }) => ctx.api.startStopMessage(input)),
  carryOnStopMessage: call.input(id).mutation(({ ctx, input }) => ctx.api.carryOnStopMessage(input)),
  editStopMessage: call.input(stopMessageEditInput).mutation(({ ctx, input }) => ctx.api.editStopMessage(input)),
  applyMarker: call.input(heldMarkerInput).mutation(({ ctx, input }) => ctx.api.applyMarker(input)),
  forgetMarker: call.input(heldMarkerInput).mutation(({ ctx, input }) => ctx.api.forgetMarker(input)),
  rounds: call.input(id).query(({ ctx, input }) => ctx.api.rounds(input)),
  checks: call.input(id).query(({ ctx, input }) => ctx.api.checks(input)),
  approveCheck: call.input(approveCheckInput).mutation(({ ctx, input }) => ctx.api.approveCheck(input)),
  forgetCheck: call.input(checkInput).mutation(({ ctx, input }) => ctx.api.forgetCheck(input)),
  declareCheck: call.input(declareCheckInput).mutation(({ ctx, input }) => ctx.api.declareCheck(input)),
  runCheck: call.input(checkInput).mutation(({ ctx, input }) => ctx.api.runCheck(input)),
  setQuietHours: call.input(quietHoursInput).mutation(({ ctx, input }) => ctx.api.setQuietHours(input)),
  setBudgets: call.input(budgetsInput).mutation(({ ctx, input }) => ctx.api.setBudgets(input)),
  pause: call.input(id.nullable()).mutation(({ ctx, input }) => ctx.api.pause(input)),
  resume: call.input(id.nullable()).mutation(({ ctx, input }) => ctx.api.resume(input)),
  say: call
    .input(z.object({ session: id, text: z.string().min(1).max(262_144) }))
    .mutation(({ ctx, input }) => ctx.api.say(input.session, input.text)),
  editEntry: call
    .input(z.object({ entryId: id, revision: z.number().int(), text: z.string().min(1).max(262_144) }))
    .mutation(({ ctx, input }) => ctx.api.editEntry(input.entryId, input.revision, input.text)),
  cancelEntry: call.input(id).mutation(({ ctx, input }) => ctx.api.cancelEntry(input)),
  sendEntryNow: call.input(id).mutation(({ ctx, input }) => ctx.api.sendEntryNow(input)),
  moveEntry: call
    .input(z.object({ entryId: id, beforeEntryId: id.nullable() }))
    .mutation(({ ctx, input }) => ctx.api.moveEntry(input.entryId, input.beforeEntryId)),
  renameSession: call
    .input(z.object({ session: id, name: z.string().max(200) }))
    .mutation(({ ctx, input }) => ctx.api.renameSession(input.session, input.name)),
  archiveSession: call
    .input(z.object({ session: id, archived: z.boolean() }))
    .mutation(({ ctx, input }) => ctx.api.archiveSession(input.session, input.archived)),
  deleteSession: call.input(id).mutation(({ ctx, input }) => ctx.api.deleteSession(input)),
  pinSession: call
    .input(z.object({ session: id, pinned: z.boolean() }))
    .mutation(({ ctx, input }) => ctx.api.pinSession(input.session, input.pinned)),

  testProvider: call
    .input(z.union([id, z.object({ provider: id, key: id })]))
    .mutation(({ ctx, input }) =>
      typeof input === 'string' ? ctx.api.testProvider(input) : ctx.api.testProvider(input.provider, input.key),
    ),
  providerDetails: call.input(id).query(({ ctx, input }) => ctx.api.providerDetails(input)),
  updateProvider: call.input(updateProviderInput).mutation(({ ctx, input }) => ctx.api.updateProvider(input)),
  providerModels: call.input(id).mutation(({ ctx, input }) => ctx.api.providerModels(input)),
  addProvider: call.input(addProviderInput).mutation(({ ctx, input }) => ctx.api.addProvider(input)),
  removeProvider: call.input(id).mutation(({ ctx, input }) => ctx.api.removeProvider(input)),
  saveRoute: call.input(saveRouteInput).mutation(({ ctx, input }) => ctx.api.saveRoute(input)),
  undoConfig: call.mutation(({ ctx }) => ctx.api.undoConfig()),
  configText: call.query(({ ctx }) => ctx.api.configText()),
  checkConfigText: call.input(configText).query(({ ctx, input }) => ctx.api.checkConfigText(input)),
  saveConfigText: call.input(saveConfigInput).mutation(({ ctx, input }) => ctx.api.saveConfigText(input)),
  setSwitch: call.input(setSwitchInput).mutation(({ ctx, input }) => ctx.api.setSwitch(input)),
  settings: call.query(({ ctx }) => ctx.api.settings()),
  setSetting: call.input(setSettingInput).mutation(({ ctx, input }) => ctx.api.setSetting(input)),
  addLocalKey: call.input(addLocalKeyInput).mutation(({ ctx, input }) => ctx.api.addLocalKey(input)),
  removeLocalKey: call.input(id).mutation(({ ctx, input }) => ctx.api.removeLocalKey(input)),
  secretsKept: call.query(({ ctx }) => ctx.api.secretsKept()),
  moveSecrets: call.input(secretPlace).mutation(({ ctx, input }) => ctx.api.moveSecrets(input)),
  putBackConfig: call.mutation(({ ctx }) => ctx.api.putBackConfig()),
  foundAccess: call.query(({ ctx }) => ctx.api.foundAccess()),
  useAccess: call.input(id).mutation(({ ctx, input }) => ctx.api.useAccess(input)),
  tryProvider: call.input(id).mutation(({ ctx, input }) => ctx.api.tryProvider(input)),
  agentSetups: call.query(({ ctx }) => ctx.api.agentSetups()),
  setUpAgent: call.input(setUpAgentInput).mutation(({ ctx, input }) => ctx.api.setUpAgent(input)),
  undoAgentSetup: call.input(z.enum(setUpClients)).mutation(({ ctx, input }) => ctx.api.undoAgentSetup(input)),
  startDemo: call.mutation(({ ctx }) => ctx.api.startDemo()),
  setResumeAtReset: call
    .input(z.object({ session: id, on: z.boolean() }))
    .mutation(({ ctx, input }) => ctx.api.setResumeAtReset(input.session, input.on)),
  setOutage: call.input(outageInput).mutation(({ ctx, input }) => ctx.api.setOutage(input)),
  cancelResume: call.input(id).mutation(({ ctx, input }) => ctx.api.cancelResume(input)),
  setCapture: call
    .input(z.object({ session: id, on: z.boolean() }))
    .mutation(({ ctx, input }) => ctx.api.setCapture(input.session, input.on)),
  setServertool: call
    .input(z.object({ tool: id.nullable(), on: z.boolean().nullable() }))
    .mutation(({ ctx, input }) => ctx.api.setServertool(input.tool, input.on)),

  saveOutside: call.input(saveOutsideInput).mutation(({ ctx, input }) => ctx.api.saveOutside(input)),
  removeOutside: call.input(id).mutation(({ ctx, input }) => ctx.api.removeOutside(input)),
  testOutside: call.input(id).mutation(({ ctx, input }) => ctx.api.testOutside(input)),

  alarms: call.query(({ ctx }) => ctx.api.alarms()),
  alarmsOf: call.input(id).query(({ ctx, input }) => ctx.api.alarmsOf(input)),
  addAlarm: call.input(addAlarmInput).mutation(({ ctx, input }) => ctx.api.addAlarm(input)),
  editAlarm: call.input(editAlarmInput).mutation(({ ctx, input }) => ctx.api.editAlarm(input)),
  snoozeAlarm: call.input(snoozeAlarmInput).mutation(({ ctx, input }) => ctx.api.snoozeAlarm(input)),
  cancelAlarm: call.input(id).mutation(({ ctx, input }) => ctx.api.cancelAlarm(input)),
  skipAlarm: call.input(id).mutation(({ ctx, input }) => ctx.api.skipAlarm(input)),
  restoreAlarm: call.input(id).mutation(({ ctx, input }) => ctx.api.restoreAlarm(input)),
  settleMissed: call.input(settleMissedInput).mutation(({ ctx, input }) => ctx.api.settleMissed(input)),
  dismissAllMissed: call.mutation(({ ctx }) => ctx.api.dismissAllMissed()),
  readTime: call.input(z.string().max(500)).query(({ ctx, input }) => ctx.api.readTime(input)),

  openTerminal: call.input(openTerminalInput).mutation(({ ctx, input }) => ctx.api.openTerminal(input)),
  recentFolders: call.query(({ ctx }) => ctx.api.recentFolders()),
  listFolder: call.input(listFolderInput).query(({ ctx, input }) => ctx.api.listFolder(input)),
  adoptablePanes: call.input(adoptablePanesInput).query(({ ctx, input }) => ctx.api.adoptablePanes(input)),
  adoptPane: call.input(adoptPaneInput).mutation(({ ctx, input }) => ctx.api.adoptPane(input)),
  registerTerminal: call.input(registerTerminalInput).mutation(({ ctx, input }) => ctx.api.registerTerminal(input)),
  terminalEnded: call
    .input(z.object({ terminalId: id, exitCode: z.number().int().nullable() }))
    .mutation(({ ctx, input }) => ctx.api.terminalEnded(input.terminalId, input.exitCode)),
  closeTerminal: call.input(id).mutation(({ ctx, input }) => ctx.api.closeTerminal(input)),
  renameTerminal: call
    .input(z.object({ terminalId: id, name: z.string().max(200) }))
    .mutation(({ ctx, input }) => ctx.api.renameTerminal(input.terminalId, input.name)),
  reportScreen: call.input(id).query(({ ctx, input }) => ctx.api.reportScreen(input)),
  writeTerminal: call
    .input(z.object({ terminalId: id, data: z.string().max(1_048_576) }))
    .mutation(({ ctx, input }) => ctx.api.writeTerminal(input.terminalId, input.data)),
  answerDialog: call.input(answerDialogInput).mutation(({ ctx, input }) => ctx.api.answerDialog(input)),
  resizeTerminal: call
    .input(
      z.object({ terminalId: id, cols: z.number().int().min(2).max(1000), rows: z.number().int().min(2).max(1000) }),
    )
    .mutation(({ ctx, input }) => ctx.api.resizeTerminal(input.terminalId, input.cols, input.rows)),

  lastCrash: call.query(({ ctx }) => ctx.api.lastCrash()),
  forgetCrashes: call.mutation(({ ctx }) => ctx.api.forgetCrashes()),

  dashboardLink: call.mutation(({ ctx }) => ctx.api.dashboardLink()),
  signOutWindows: call.mutation(({ ctx }) => ctx.api.signOutWindows()),

  handOver: call.mutation(({ ctx }) => ctx.api.handOver()),
  underWay: call.query(({ ctx }) => ctx.api.underWay()),

  follow: call.subscription(({ ctx, signal }) => ctx.api.follow(signal ?? new AbortController().signal)),
  watchTerminal: call
    .input(id)
    .subscription(({ ctx, input, signal }) => ctx.api.watchTerminal(input, signal ?? new AbortController().signal)),
})

export type ControlRouter = typeof controlRouter

export { controlPath } from './address.ts'

function codeOf(cause: unknown): string | null {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null
}

const detailsOf = (cause: unknown): unknown => (cause instanceof Error && 'details' in cause ? cause.details : null)

/** The setting of the config that a refusal is about, e.g. `providers.glm.baseUrl`. */
function fieldOf(cause: unknown): string | null {
  const details = detailsOf(cause)
  return typeof details === 'object' && details !== null && 'field' in details && typeof details.field === 'string'
    ? details.field
    : null
}
