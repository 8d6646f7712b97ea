/**
 * The dashboard's own words in Chinese: written, not translated. States, reasons and events come from shared/sentences.
 */
import type { Dictionary } from './en.ts'
import * as activity from './zh-CN/activity.ts'
import * as alarms from './zh-CN/alarms.ts'
import * as config from './zh-CN/config.ts'
import * as firstRun from './zh-CN/first-run.ts'
import * as frame from './zh-CN/frame.ts'
import * as goal from './zh-CN/goal.ts'
import * as machines from './zh-CN/machines.ts'
import * as providerForm from './zh-CN/provider-form.ts'
import * as providers from './zh-CN/providers.ts'
import * as session from './zh-CN/session.ts'
import * as sessions from './zh-CN/sessions.ts'
import * as setting from './zh-CN/setting.ts'
import * as settings from './zh-CN/settings.ts'
import * as terminals from './zh-CN/terminals.ts'

export const zhCN: Dictionary = {
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
