import type { DeviceRight } from './devices.ts'

/** A fleet: engines that find each other at a NATS hub, which each of them goes to by itself. */

/** As the config has it, and as it is joined. */
export interface FleetPlace {
  /** of the hub, without a user or password */
  url: string
  name: string
  /** what this engine is called there */
  engine: string
}

export type FleetState =
  | { kind: 'connecting' }
  | { kind: 'there'; since: number }
  /** tried again at `nextTryAt` */
  | { kind: 'away'; since: number; why: { code: string; message: string }; nextTryAt: number }

/** This engine in its fleet. */
export interface FleetView extends FleetPlace {
  state: FleetState
  /** texts of conversations go there */
  texts: boolean
  /** a policy of the fleet holds here */
  policy: boolean
}

/** An engine of a fleet, as others of the fleet see it. */
export interface FleetMember {
  /** of the fleet */
  name: string
  /** what it allows the fleet; left out: it did not say */
  rights?: readonly DeviceRight[]
  /** what the hub does not let this engine ask of it */
  refused?: readonly DeviceRight[]
  /** what the hub keeps until it is back */
  waits?: { messages: number; alarms: number }
}

/** What came of asking an engine of the fleet. */
export type FleetAnswer =
  | { kind: 'answered'; answer: unknown }
  /** it is away: the hub keeps the order for it, until then at the latest (epoch milliseconds) */
  | { kind: 'waits'; until: number }

/** Operations that wait at the hub for an engine that is away: those with `once` in shared/operations. */
export const waitsAtHub = (operation: string | undefined): boolean => operation === 'say' || operation === 'addAlarm'

/** What may be asked of an engine from here; null: nobody said, so it is tried. */
export const rightsAt = ({ rights, refused }: FleetMember): readonly DeviceRight[] | null =>
  rights?.filter((right) => !refused?.includes(right)) ?? null

/** A word of a subject: NATS reads dots and wildcards. */
export const fleetName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/
/** Names an address without who logs in there, which would stand in logs and lists. */
export const hubUrl = /^(?:nats|tls):\/\/(?:[A-Za-z0-9_][A-Za-z0-9._-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/
/** For errors that repeat an address that was refused. */
export const withoutLogin = (url: string): string => url.replace(/\/\/.*@/s, '//[hidden]@')
