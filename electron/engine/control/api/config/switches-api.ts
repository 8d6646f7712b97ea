import type { ControlApi } from '../../../../../shared/operations/index.ts'
import type { ConfigHandle } from '../../../config/types.ts'

/** Switches that stand in the config file; a change counts at once. */
export function switchesApi(config: Pick<ConfigHandle, 'edit'>) {
  return {
    setSwitch: ({ name, on }) => config.edit([{ path: name.split('.'), value: on }]),
  } satisfies Partial<ControlApi>
}
