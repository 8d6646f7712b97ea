/**
 * The dashboard's own words in Chinese: written, not translated. States, reasons and events come from shared/sentences.
 */
import type { Dictionary } from './en.ts'
import { activity } from './zh-CN/activity.ts'
import { alarms } from './zh-CN/alarms.ts'
import { views, rail, status, banner, gate, palette, commands, shortcuts, say } from './zh-CN/frame.ts'
import { goal, round, checks, review, rounds } from './zh-CN/goal.ts'
import { providers } from './zh-CN/providers.ts'
import { session, card, details } from './zh-CN/session.ts'
import { groups, agents, list, filter, empty } from './zh-CN/sessions.ts'
import { settings } from './zh-CN/settings.ts'
import { terminal, newTerminal } from './zh-CN/terminals.ts'
import { timeline, queue } from './zh-CN/timeline.ts'

export const zhCN: Dictionary = {
  languageName: '简体中文',
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
  card,
  timeline,
  queue,
  terminal,
  newTerminal,
  details,
  status,
  banner,
  gate,
  palette,
  commands,
  shortcuts,
  alarms,
  activity,
  providers,
  settings,
  say,
}
