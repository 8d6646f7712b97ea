import type { ControlApi } from '../../../../../shared/control/contract.ts'
import type { ConfigHandle } from '../../../config/types.ts'

const path = ['notifications', 'quietHours'] as const

/** Quiet hours as a person changes them from here: all of a change in one write. */
export function quietHoursApi(
  config: Pick<ConfigHandle, 'current' | 'edit'>,
  held: () => number,
): Pick<ControlApi, 'setQuietHours'> {
  return {
    async setQuietHours(input) {
      const on = input.on ?? config.current().notifications.quietHours.on
      // A single member would make hours that no one switched on: hours in the file are on by being there.
      const members = Object.entries({ ...input, on }).filter(([, value]) => value !== undefined)
      await config.edit(members.map(([name, value]) => ({ path: [...path, name], value })))
      return { ...config.current().notifications.quietHours, held: held() }
    },
  }
}
