import type { ProblemReport } from './problems.ts'

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
  /** notifications are pushed to it */
  push: boolean
}

/** A browser's subscription to its vendor's push service; both keys in base64url. */
export interface PushTarget {
  endpoint: string
  p256dh: string
  auth: string
}

/** Web push as the device that asks has it. */
export interface PushView {
  /** what its browser subscribes with */
  key: string
  /** where it is pushed to; null: it is off */
  endpoint: string | null
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
  /** what links begin with */
  origin: string
  /**
   * SHA-256 of a certificate that no authority vouches for, as browsers show it; null: they take it by itself, which
   * they want for installing and for push
   */
  fingerprint: string | null
}

/** How a phone can reach this machine. */
export interface PhoneWays {
  /** null: nowhere; then a phone comes over SSH, to the engine's own address */
  listening: PhoneListening | null
  /** why it does not listen where it is to, or goes on with an old certificate */
  problem: ProblemReport | null
  addresses: readonly PhoneAddress[]
  /** the name for which Tailscale gets this machine a certificate; null: it does not */
  tailscale: string | null
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
