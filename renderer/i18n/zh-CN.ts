/**
 * The dashboard's own words in Chinese: written, not translated. States, reasons and events come from shared/sentences.
 */
import type { Dictionary } from './en.ts'
import { activity, report } from './zh-CN/activity.ts'
import { cost } from './zh-CN/cost.ts'
import { alarms } from './zh-CN/alarms.ts'
import { config, policy } from './zh-CN/config.ts'
import { views, rail, status, banner, gate, onDemand, palette, commands, shortcuts, say } from './zh-CN/frame.ts'
import { firstRun } from './zh-CN/first-run.ts'
import { goal, round, checks, review, rounds } from './zh-CN/goal.ts'
import { drives } from './zh-CN/drives.ts'
import { providerForm } from './zh-CN/provider-form.ts'
import { machines } from './zh-CN/machines.ts'
import { phone } from './zh-CN/phone.ts'
import { providers } from './zh-CN/providers.ts'
import { session, card, details, outage, timeline, queue } from './zh-CN/session.ts'
import { groups, agents, list, filter, empty } from './zh-CN/sessions.ts'
import { security, setting } from './zh-CN/setting.ts'
import { settings, logs, installed, updates, outside } from './zh-CN/settings.ts'
import { adopt, folder, terminal, newTerminal } from './zh-CN/terminals.ts'

export const zhCN: Dictionary = {
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
