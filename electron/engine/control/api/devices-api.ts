import { networkInterfaces } from 'node:os'
import type { PhoneWays } from '../../../../shared/devices.ts'
import type { ControlApi } from '../../../../shared/operations/index.ts'
import { OnwardError } from '../../base/errors.ts'
import type { ConfigHandle } from '../../config/types.ts'
import type { PhoneListener } from '../../gateway/phone-listener.ts'
import type { Devices } from '../devices.ts'
import { phoneAddresses } from '../devices/phone-addresses.ts'

export interface DevicesApiDeps {
  devices: Devices
  /** the address of a page at this origin, with a folder of its own that no cache can have been filled for */
  pageAt(origin: string): string
  /** where browsers of this machine find the engine */
  ownOrigin(): string
  /** null: the engine does not listen yet */
  phones(): Pick<PhoneListener, 'listening' | 'problem' | 'look' | 'tailscale'> | null
}

/** Paired devices as a person keeps them. A device's own call comes by the connection that its code opened. */
export function devicesApi(
  { devices, pageAt, ownOrigin, phones }: DevicesApiDeps,
  config: Pick<ConfigHandle, 'edit'>,
  addresses = () => phoneAddresses(networkInterfaces()),
) {
  const tailscaleName = async (): Promise<string | null> => {
    // Where it has no network, it is not asked.
    if (!addresses().some(({ kind }) => kind === 'tailscale')) return null
    const self = phones()
      ?.tailscale.self()
      .catch(() => null)
    return (await self)?.name ?? null
  }
  const ways = async (): Promise<PhoneWays> => ({
    listening: phones()?.listening() ?? null,
    problem: phones()?.problem() ?? null,
    addresses: addresses(),
    tailscale: await tailscaleName(),
    ssh: sshTo(ownOrigin()),
  })
  return {
    devices: async () => devices.list(),
    phoneWays: ways,
    async servePhonesAt(host) {
      if (host === 'tailscale') await phones()?.tailscale.self()
      else if (host !== null && !addresses().some(({ address }) => address === host))
        throw new OnwardError('no-such-address', `This machine has no address ${host} that a phone could reach.`, {
          status: 409,
        })
      await config.edit([{ path: ['phone', 'host'], value: host ?? undefined }])
      await phones()?.look()
      return ways()
    },
    async newPairing({ rights: wanted }) {
      const { id, key, rights, until } = devices.newPairing(wanted)
      const now = await ways()
      const at = now.listening
      const page = pageAt(at?.origin ?? ownOrigin())
      const print = at?.fingerprint
        ? `&fp=${Buffer.from(at.fingerprint.replaceAll(':', ''), 'hex').toString('base64url')}`
        : ''
      return { url: `${page}#pair=${id}.${key}${print}`, rights, until, ways: now }
    },
    ownPush: () => Promise.reject(noDevice()),
    setOwnPush: () => Promise.reject(noDevice()),
    async pairDevice() {
      throw new OnwardError('no-pairing', 'Only a device that comes with a code is paired. Make one with newPairing.', {
        status: 409,
      })
    },
    renameDevice: ({ device, name }) => devices.rename(device, name),
    setDeviceRights: ({ device, rights }) => devices.setRights(device, rights),
    revokeDevice: (device) => devices.revoke(device),
  } satisfies Partial<ControlApi>
}

const noDevice = () =>
  new OnwardError('no-device', 'Notifications are pushed to paired devices. Pair this browser first.', { status: 409 })

/** Browsers can prove themselves at a loopback address, and SSH encrypts what lies between. */
function sshTo(origin: string): string {
  const { hostname, port } = new URL(origin)
  return `ssh -N -L ${port}:${hostname}:${port} <this machine>`
}
