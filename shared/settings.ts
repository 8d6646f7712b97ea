/** Settings with a value of their own that the dashboard shows and changes: each is one member of the config file. */

export const settingNames = [
  'clock.retentionMs',
  'clock.dueWindowMs',
  'clock.holdMaxMs',
  'clock.holdNonStreaming',
  'clock.tickMs',
  'clock.ntp.servers',
  'clock.ntp.timeoutMs',
  'clock.ntp.refreshMs',
  'drives.refuse',
  'drives.rescueSchedules',
  'drives.rescueWakeups',
  'goal.keepAwake',
  'goal.revive',
  'keepWarm.providers',
  'keepWarm.usdPerDay',
  'keepWarm.pingsPerDay',
  'limits.pauseAt',
  'limits.order',
  'recover.when',
  'recover.text',
  'recover.mostPerOutage',
  'recover.mostPerDay',
  'stopMessage.settleMs',
  'stopMessage.backgroundWaitSeconds',
  'stopMessage.review.backend',
  'stopMessage.review.model',
  'stopMessage.review.command',
  'stopMessage.review.timeoutSeconds',
  'stopMessage.review.maxSteps',
  'stopMessage.review.checkTimeoutSeconds',
  'stopMessage.review.context.textChars',
  'stopMessage.review.context.calls',
  'stopMessage.review.context.callChars',
  'stopMessage.review.context.rounds',
  'servertools.maxDepth',
  'servertools.maxSeconds',
  'servertools.declare',
  'servertools.beside',
  'servertools.webFetch.allow',
  'servertools.webFetch.maxChars',
  'servertools.webFetch.timeoutSeconds',
  'servertools.webFetch.maxBytes',
  'servertools.webSearch.results',
  'server.host',
  'server.allowedHosts',
] as const

export type SettingName = (typeof settingNames)[number]
export type SettingValue = number | boolean | string | readonly string[] | null

/** As the config's schema has it. */
export interface SettingRule {
  kind: 'number' | 'boolean' | 'text' | 'choice' | 'list'
  default: SettingValue
  /** of a number; null: none */
  min: number | null
  max: number | null
  /** `min` itself is not allowed */
  above: boolean
  whole: boolean
  choices: readonly string[]
  /** a list may not be empty */
  filled: boolean
}

export interface SettingView extends SettingRule {
  name: SettingName
  value: SettingValue
}

/** One of `server.keys`; the key itself is never shown again. */
export interface LocalKeyView {
  /** names it in calls */
  id: string
  /** null: it stands in the config as text, without a name */
  alias: string | null
  /** its last characters; empty: it is too short to show any */
  ends: string
}

export interface SettingsView {
  settings: readonly SettingView[]
  keys: readonly LocalKeyView[]
}

/** A new key, which is shown only this once. */
export interface NewLocalKey {
  key: string
  alias: string
}

export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
