/** The control API as a tRPC router. Every procedure hands its checked input to the ControlApi in the context. */
import { z } from 'zod'
import { activityHours, instant, logPageInput, routeQuestionInput, timelineInput } from './contract.ts'
import { mostCostDays } from '../cost/cost-view.ts'
import { call, id, t } from './calls/procedure.ts'
import { sessionCalls } from './calls/sessions.ts'
import { settingCalls } from './calls/settings.ts'
import { terminalCalls } from './calls/terminals.ts'

export const controlRouter = t.router({
  status: call.query(({ ctx }) => ctx.api.status()),
  sessions: call.query(({ ctx }) => ctx.api.sessions()),
  session: call.input(id).query(({ ctx, input }) => ctx.api.session(input)),
  terminals: call.query(({ ctx }) => ctx.api.terminals()),
  timeline: call.input(timelineInput).query(({ ctx, input }) => ctx.api.timeline(input)),
  turns: call.input(z.number().int().min(1).max(1000)).query(({ ctx, input }) => ctx.api.turns(input)),
  turn: call.input(id).query(({ ctx, input }) => ctx.api.turn(input)),
  costs: call.input(z.int().min(1).max(mostCostDays)).query(({ ctx, input }) => ctx.api.costs(input)),
  report: call.input(instant.nullable()).query(({ ctx, input }) => ctx.api.report(input)),
  activity: call.input(z.literal(activityHours)).query(({ ctx, input }) => ctx.api.activity(input)),
  providers: call.query(({ ctx }) => ctx.api.providers()),
  routing: call.query(({ ctx }) => ctx.api.routing()),
  routeCheck: call.input(routeQuestionInput).query(({ ctx, input }) => ctx.api.routeCheck(input)),
  agents: call.query(({ ctx }) => ctx.api.agents()),
  doctor: call.query(({ ctx }) => ctx.api.doctor()),
  logs: call.input(z.number().int().min(1).max(10_000)).query(({ ctx, input }) => ctx.api.logs(input)),
  logPage: call.input(logPageInput).query(({ ctx, input }) => ctx.api.logPage(input)),

  ...sessionCalls,
  ...settingCalls,
  ...terminalCalls,

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
