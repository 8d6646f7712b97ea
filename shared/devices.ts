/** Phones and other browsers that were paired with this home: each has a key of its own, and rights. */

/** `look` is in all others: what is answered has to be seen. */
export const deviceRights = ['look', 'answer', 'say', 'arm'] as const
export type DeviceRight = (typeof deviceRights)[number]
export const usualRights: readonly DeviceRight[] = ['look', 'answer']
/** In their order. */
export const withLook = (rights: readonly DeviceRight[]): DeviceRight[] =>
  deviceRights.filter((right) => right === 'look' || rights.includes(right))

export interface DeviceView {
  id: string
  name: string
  rights: readonly DeviceRight[]
  /** epoch milliseconds */
  createdAt: number
  seenAt: number
  /** it is connected now */
  here: boolean
}

export interface PhoneAddress {
  address: string
  /** of the network interface */
  name: string
  kind: 'network' | 'tailscale' | 'wireguard'
}

/** Where phones are served over https. */
export interface PhoneListening {
  host: string
  port: number
  /** SHA-256 of the home's own certificate, as browsers show it */
  fingerprint: string
}

/** How a phone can reach this machine. */
export interface PhoneWays {
  /** null: nowhere; then a phone comes over SSH, to the engine's own address */
  listening: PhoneListening | null
  /** why it does not listen where it is to */
  problem: string | null
  addresses: readonly PhoneAddress[]
  /** to be typed where the phone's browser is; `<this machine>` stands for what it is called there */
  ssh: string
}

/** Good for one device, once. */
export interface PairingView {
  /** the address that a phone opens; its fragment, which no browser sends, holds the code */
  url: string
  rights: readonly DeviceRight[]
  /** epoch milliseconds */
  until: number
  ways: PhoneWays
}
