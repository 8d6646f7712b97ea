/** Phones and other browsers that were paired with this home: each has a key of its own, and rights. */

/** `look` is in all others: what is answered has to be seen. */
export const deviceRights = ['look', 'answer', 'say', 'arm'] as const
export type DeviceRight = (typeof deviceRights)[number]
export const usualRights: readonly DeviceRight[] = ['look', 'answer']

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

/** Good for one device, once. */
export interface PairingView {
  /** the address that a phone opens; its fragment, which no browser sends, holds the code */
  url: string
  rights: readonly DeviceRight[]
  /** epoch milliseconds */
  until: number
}
