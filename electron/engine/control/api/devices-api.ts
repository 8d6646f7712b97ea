import type { ControlApi } from '../../../../shared/operations/index.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Devices } from '../devices/devices.ts'

export interface DevicesApiDeps {
  devices: Devices
  /** the address a phone opens, with a folder of its own that no cache can have been filled for */
  phonePage(): string
}

/** Paired devices as a person keeps them. A device's own call comes by the connection that its code opened. */
export function devicesApi({ devices, phonePage }: DevicesApiDeps) {
  return {
    devices: async () => devices.list(),
    async newPairing({ rights: wanted }) {
      const { id, key, rights, until } = devices.newPairing(wanted)
      return { url: `${phonePage()}#pair=${id}.${key}`, rights, until }
    },
    async pairDevice() {
      throw new OnwardError('no-pairing', 'Only a device that comes with a code is paired. Make one with newPairing.', {
        status: 409,
      })
    },
    renameDevice: ({ device, name }) => devices.rename(device, name),
    revokeDevice: (device) => devices.revoke(device),
  } satisfies Partial<ControlApi>
}
