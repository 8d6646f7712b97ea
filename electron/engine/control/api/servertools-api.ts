import type { ControlApi } from '../../../../shared/control/contract.ts'
import type { EngineStatus } from '../../../../shared/state.ts'
import { OnwardError } from '../../base/errors.ts'
import type { ConfigHandle } from '../../config/types.ts'

export interface ServertoolsApiDeps {
  config: ConfigHandle
  view(): NonNullable<EngineStatus['servertools']>
}

/** Switches of Onward's own tools; they stand in the config file like everything else. */
export function servertoolsApi({ config, view }: ServertoolsApiDeps): Pick<ControlApi, 'setServertool'> {
  return {
    async setServertool(tool, on) {
      const { by, tools } = view()
      if (tool === null) {
        if (by === 'env')
          throw new OnwardError(
            'servertool-env',
            'ROUTECODEX_SERVER_TOOLS decides this. Start Onward without it to switch them here.',
            { status: 409 },
          )
        await config.edit([{ path: ['servertools', 'enabled'], value: on ?? undefined }])
        return view()
      }
      if (!tools.some(({ name }) => name === tool))
        throw new OnwardError('servertool-unknown', `There is no tool “${tool}”.`, { status: 404 })
      await config.edit(
        tool === 'clock'
          ? [{ path: ['clock', 'enabled'], value: on ?? undefined }]
          : [{ path: ['servertools', 'tools', tool], value: on ?? undefined }],
      )
      return view()
    },
  }
}
