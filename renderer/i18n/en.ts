/** The dashboard's own words in English. States, reasons and events come from shared/sentences. */
import { activity, report } from './en/activity.ts'
import { cost } from './en/cost.ts'
import { alarms } from './en/alarms.ts'
import { config, policy } from './en/config.ts'
import { views, rail, status, banner, gate, onDemand, palette, commands, shortcuts, say } from './en/frame.ts'
import { firstRun } from './en/first-run.ts'
import { goal, round, checks, review, rounds } from './en/goal.ts'
import { drives } from './en/drives.ts'
import { providerForm } from './en/provider-form.ts'
import { machines } from './en/machines.ts'
import { phone } from './en/phone.ts'
import { providers } from './en/providers.ts'
import { session, card, details, outage, timeline, queue } from './en/session.ts'
import { groups, agents, list, filter, empty } from './en/sessions.ts'
import { security, setting } from './en/setting.ts'
import { settings, logs, installed, updates, outside } from './en/settings.ts'
import { adopt, folder, terminal, newTerminal } from './en/terminals.ts'

export const en = {
  views,
  rail,
  groups,
  agents,
  list,
  filter,
  empty,
  session,
  goal,
  round,
  checks,
  review,
  rounds,
  drives,
  card,
  timeline,
  queue,
  terminal,
  newTerminal,
  adopt,
  folder,
  details,
  status,
  banner,
  gate,
  onDemand,
  palette,
  commands,
  shortcuts,
  alarms,
  activity,
  cost,
  report,
  outage,
  outside,
  machines,
  phone,
  policy,
  providers,
  providerForm,
  firstRun,
  settings,
  installed,
  updates,
  setting,
  security,
  config,
  logs,
  say,
}

/** Every language has the same words: a missing one does not compile. */
export type Dictionary = typeof en
