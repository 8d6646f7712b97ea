/**
 * What a fleet is called at its hub. Each subject and key names engine and right, so that the hub's own permissions can
 * tell a viewer from an operator, and one engine from another.
 */
import { deviceRights, type DeviceRight } from '../../../shared/devices.ts'

/** streams and the bucket of the fleet */
export const bucketOf = (fleet: string): string => `onward-${fleet}`
export const eventsOf = (fleet: string): string => `onward-${fleet}-events`
export const ordersOf = (fleet: string): string => `onward-${fleet}-orders`

export const commandSubject = (fleet: string, engine: string, right: string, operation: string): string =>
  `onward.${fleet}.${engine}.${right}.${operation}`
/** `engine` and `right` may be `*` */
export const orderSubject = (fleet: string, engine: string, right: string, operation: string): string =>
  `onward.${fleet}.${engine}.later.${right}.${operation}`
export const eventSubject = (fleet: string, engine: string, type: string): string =>
  `onward.${fleet}.${engine}.event.${type}`
/** asks an engine to lend; `from` may be `*` */
export const lendSubject = (fleet: string, engine: string, from: string): string =>
  `onward.${fleet}.${engine}.lend.${from}`
/** what is said on such a line, to `engine`; `from` may be `*` */
export const lentSubject = (fleet: string, engine: string, from: string): string =>
  `onward.${fleet}.${engine}.lent.${from}`

/** right and operation, of the subject of a command or an order; null: it is neither */
export function calledIn(subject: string): { right: DeviceRight; operation: string } | null {
  const [operation, word] = subject.split('.').toReversed()
  const right = deviceRights.find((one) => one === word)
  return right && operation !== undefined ? { right, operation } : null
}

/** whom an order waits for, and with what, of its subject; null: it is none */
export function orderIn(subject: string): { engine: string; operation: string } | null {
  const [, , engine, later, , operation] = subject.split('.')
  return engine !== undefined && later === 'later' && operation !== undefined ? { engine, operation } : null
}

/** That the engine is there: written again and again. */
export const aliveKey = (engine: string): string => `${engine}.alive`
export const sessionKey = (engine: string, session: string): string =>
  `${engine}.session.${Buffer.from(session).toString('base64url')}`
export const everyKey = '>'
/** The organisation's rules for all engines of the fleet. */
export const policyKey = 'policy'

export type Key = { kind: 'alive'; engine: string } | { kind: 'session'; engine: string; session: string }

export function readKey(key: string): Key | null {
  const [engine, kind, coded] = key.split('.')
  if (engine === undefined || engine === '') return null
  if (kind === 'alive') return { kind, engine }
  if (kind !== 'session' || coded === undefined) return null
  return { kind, engine, session: Buffer.from(coded, 'base64url').toString('utf8') }
}
