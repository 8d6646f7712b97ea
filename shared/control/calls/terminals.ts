import { z } from 'zod'
import {
  addAlarmInput,
  answerDialogInput,
  editAlarmInput,
  listFolderInput,
  openTerminalInput,
  registerTerminalInput,
  settleMissedInput,
  snoozeAlarmInput,
  terminalEndedInput,
} from '../contract.ts'
import { adoptPaneInput, adoptablePanesInput } from '../../setup/adopting.ts'
import { call, id } from './procedure.ts'

/** Calls on the clock and on terminals. */
export const terminalCalls = {
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
  terminalEnded: call.input(terminalEndedInput).mutation(({ ctx, input }) => ctx.api.terminalEnded(input)),
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
}
