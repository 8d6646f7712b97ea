/** The dashboard's own words in English. States, reasons and events come from shared/sentences. */
import { activity } from './en/activity.ts'
import { alarms } from './en/alarms.ts'
import { views, rail, status, banner, gate, palette, commands, shortcuts, say } from './en/frame.ts'
import { goal, round, checks, review, rounds } from './en/goal.ts'
import { providers } from './en/providers.ts'
import { session, card, details } from './en/session.ts'
import { groups, agents, list, filter, empty } from './en/sessions.ts'
import { settings } from './en/settings.ts'
import { terminal, newTerminal } from './en/terminals.ts'
import { timeline, queue } from './en/timeline.ts'

export const en = {
  languageName: 'English',
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

/** Every language has the same words: a missing one does not compile. */
export type Dictionary = typeof en
