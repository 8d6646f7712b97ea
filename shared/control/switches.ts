/** Settings that are on or off and can be switched from the dashboard: each is one member of the config file. */
import { noticeClasses, type NoticeClass } from '../notice-classes.ts'

const otherSwitches = ['clock.timeTag', 'clock.ntp.enabled', 'updates.check', 'updates.download'] as const

export type SwitchName = `notifications.${NoticeClass}` | (typeof otherSwitches)[number]

export const switchNames: readonly SwitchName[] = [
  ...noticeClasses.map((kind) => `notifications.${kind}` as const),
  ...otherSwitches,
]
