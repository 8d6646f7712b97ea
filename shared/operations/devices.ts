import {
  deviceRights,
  usualRights,
  type DeviceRight,
  type DeviceView,
  type PairingView,
  type PhoneWays,
  type PushView,
} from '../devices.ts'
import { call, id, takes, type Zod } from './operation.ts'

const name = (z: Zod) => z.string().trim().min(1).max(64)

const rights = (z: Zod) => z.array(z.enum(deviceRights))

/** Phones. What a device itself may ask for says rights.ts. */
export const deviceOperations = {
  devices: call.query<readonly DeviceView[]>(),
  phoneWays: call.query<PhoneWays>(),
  /**
   * opens a port for phones at an address of this machine, over https; `tailscale`: at its Tailscale address, with a
   * certificate of Tailscale's; null: at none. Resolves when it listens, or with the reason.
   * @throws `no-such-address`, `tailscale-missing`, `tailscale-down`, `tailscale-no-certificates`, as addProvider
   */
  servePhonesAt: takes((z) => z.string().max(100).nullable()).mutation<PhoneWays>(),
  /** a new code; it ends the one before. @throws OnwardError `too-many-devices` */
  newPairing: takes((z) => z.object({ rights: rights(z).default([...usualRights]) })).mutation<PairingView>(),
  /**
   * asked by the device itself, on a connection that its code opened: from now on this key is its proof.
   * @throws `no-pairing`, `bad-device-key`, `too-many-devices`, `store-failed`
   */
  pairDevice: takes((z) => z.object({ name: name(z), publicKey: z.string().regex(/^[A-Za-z0-9_-]{87}$/) })).mutation<{
    rights: readonly DeviceRight[]
  }>(),
  /** asked by a device about itself. @throws `no-device` */
  ownPush: call.query<PushView>(),
  /**
   * asked by a device about itself; null: off. @throws `no-device`, `address-refused`: not https, or not public;
   * `store-failed`
   */
  setOwnPush: takes((z) =>
    z
      .object({
        endpoint: z.url({ protocol: /^https$/ }).max(2_000),
        p256dh: z.string().regex(/^B[A-Za-z0-9_-]{86}$/),
        auth: z.string().regex(/^[A-Za-z0-9_-]{22}$/),
      })
      .nullable(),
  ).mutation<PushView>(),
  /** `device`: its id, the beginning of it, or its name. @throws `device-unknown`, `device-ambiguous` */
  renameDevice: takes((z) => z.object({ device: id(z), name: name(z) })).mutation<DeviceView>({
    commands: [
      {
        usage: 'phone rename <device> <name>',
        takes: ['its name, its id, or the beginning of it', 'the new name'],
        summary: 'give a device another name',
        description: 'Gives a paired device another name.',
        examples: [['onward phone rename iPhone "old phone"', 'another name']],
        input: (device = '', name = '') => ({ device, name }),
        say: (view, { strong, clean }) => `It is called ${strong(clean(view.name))} now.\n`,
      },
    ],
  }),
  /** counts from its next call, on open connections too; `look` always stays. @throws as renameDevice */
  setDeviceRights: takes((z) => z.object({ device: id(z), rights: rights(z) })).mutation<DeviceView>(),
  /** its connections end at once. @throws as renameDevice; `store-failed`: it is out until the engine's next start */
  revokeDevice: takes(id).mutation<DeviceView>({
    commands: [
      {
        usage: 'phone revoke <device>',
        takes: ['its name, its id, or the beginning of it'],
        summary: 'put a device out, at once',
        description: 'Ends the access of a paired device: its connections end now, and its key counts no more.',
        examples: [['onward phone revoke iPhone', 'when it is lost']],
        input: (device = '') => device,
        say: (view, { shape, strong, clean }) =>
          `${shape('done', '✓')} ${strong(clean(view.name))} is revoked. Its connections have ended.\n`,
      },
    ],
  }),
}
