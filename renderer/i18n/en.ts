/** The dashboard's own words in English. States, reasons and events come from shared/sentences. */
import * as activity from './en/activity.ts'
import * as alarms from './en/alarms.ts'
import * as config from './en/config.ts'
import * as firstRun from './en/first-run.ts'
import * as frame from './en/frame.ts'
import * as goal from './en/goal.ts'
import * as machines from './en/machines.ts'
import * as providerForm from './en/provider-form.ts'
import * as providers from './en/providers.ts'
import * as session from './en/session.ts'
import * as sessions from './en/sessions.ts'
import * as setting from './en/setting.ts'
import * as settings from './en/settings.ts'
import * as terminals from './en/terminals.ts'

export const en = {
  ...activity,
  ...alarms,
  ...config,
  ...firstRun,
  ...frame,
  ...goal,
  ...machines,
  ...providerForm,
  ...providers,
  ...session,
  ...sessions,
  ...setting,
  ...settings,
  ...terminals,
}

/** Every language has the same words: a missing one does not compile. */
export type Dictionary = typeof en
