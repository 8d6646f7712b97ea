import type { FleetPlace } from '../../../shared/fleet.ts'
import type { Disposable } from '../base/disposable.ts'
import type { Credentials } from './credentials.ts'

/** How the hub is reached, from the config. Paths are absolute. */
export interface HubOptions extends FleetPlace {
  /** null: the hub asks for none */
  credentials: Credentials | null
  /** of the hub's JetStream, where a leaf node is between */
  domain?: string | undefined
  ca?: string | undefined
  cert?: string | undefined
  key?: string | undefined
}

/** `text` null: it was taken away. `at`: when the hub took it, by its clock. */
export interface Entry {
  key: string
  text: string | null
  at: number
}

/** `again`: the hub hands it out once more, a moment later */
export type Taken = 'done' | 'again'

/**
 * One connection to the hub, from the moment that everything of the fleet is there until it is lost. What fails throws
 * an OnwardError `fleet-…`.
 */
export interface Hub {
  /** settles when the connection is gone, with why */
  lost: Promise<Error>
  put(key: string, text: string): Promise<void>
  remove(key: string): Promise<void>
  /** null: there is none */
  get(key: string): Promise<string | null>
  /** What is there first, then changes; `caughtUp` comes after the first, where there is a key. */
  watch(keys: string, take: (entry: Entry) => void, caughtUp?: () => void): Promise<Disposable>
  /** @param id asked again with it, it is kept once */
  keep(subject: string, id: string, text: string): Promise<void>
  /** how many orders wait, by their subjects */
  waiting(): Promise<Readonly<Record<string, number>>>
  /** @throws `fleet-engine-away` where nobody listens, `fleet-engine-silent`, `fleet-not-allowed` */
  ask(subject: string, text: string): Promise<string>
  /** @param answer never rejects */
  serve(subject: string, answer: (subject: string, text: string) => Promise<string>): void
  /** Takes what waits, one after the other. @param take never rejects */
  orders(take: (order: { subject: string; id: string; text: string }) => Promise<Taken>): Promise<void>
  /** bytes of one message at most */
  most: number
  /** Goes out at most once. @throws where the hub is gone, or it is too large */
  send(subject: string, message: Buffer): void
  hear(subject: string, take: (subject: string, message: Buffer) => void): void
  close(): Promise<void>
}
