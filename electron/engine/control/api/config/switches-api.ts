import type { ControlApi } from '../../../../../shared/control/contract.ts'
import type { ConfigHandle } from '../../../config/types.ts'

/** Switches that stand in the config file; a change counts at once. */
export function switchesApi(config: Pick<ConfigHandle, 'edit'>): Pick<ControlApi, 'setSwitch'> {
  return {
    setSwitch: ({ name, on }) => config.edit([{ path: name.split('.'), value: on }]),
  }
}
