/** Settings that are on or off and can be switched from the dashboard: each is one member of the config file. */
import { z } from 'zod'
import { type NoticeClass } from '../notice-classes.ts'
import { noticeClasses } from '../notice-classes.ts'

const otherSwitches = ['clock.timeTag', 'clock.ntp.enabled', 'updates.check', 'updates.download'] as const

export type SwitchName = `notifications.${NoticeClass}` | (typeof otherSwitches)[number]

export const switchNames: readonly SwitchName[] = [
  ...noticeClasses.map((kind) => `notifications.${kind}` as const),
  ...otherSwitches,
]

export const setSwitchInput = z.object({ name: z.enum(switchNames), on: z.boolean() })
export type SetSwitchInput = z.infer<typeof setSwitchInput>
