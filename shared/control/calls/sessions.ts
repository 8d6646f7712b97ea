import { z } from 'zod'
import {
  approveCheckInput,
  budgetsInput,
  checkInput,
  declareCheckInput,
  heldMarkerInput,
  quietHoursInput,
  stopMessageEditInput,
  stopMessageSetInput,
} from '../contract.ts'
import { call, id } from './procedure.ts'

/** Calls on sessions: their goals, followups and names. */
export const sessionCalls = {
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
}
