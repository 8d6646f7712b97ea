/** Places outside of this machine that notices are sent to (config `notifications.outside`), as viewers see them. */
import type { NoticeClass } from './notice-classes.ts'

export const outsideKinds = ['ntfy', 'slack', 'discord', 'webhook'] as const
export type OutsideKind = (typeof outsideKinds)[number]

/** Why a notice was not taken. `said`: the service's own words, where it had any. */
export type OutsideFailure =
  | { code: 'no-address'; why: string }
  | { code: 'unreachable' }
  | { code: 'timeout' }
  | { code: 'answered'; status: number; said: string | null }
  /** Onward ended before it was sent */
  | { code: 'ended' }

export type OutsideState =
  | { kind: 'unused' }
  | { kind: 'sent'; at: number }
  /** it is sent again at `next` */
  | { kind: 'retrying'; since: number; tries: number; next: number; why: OutsideFailure }
  | { kind: 'failed'; at: number; why: OutsideFailure }

/** Its address is never shown: anyone who knows it can send there. */
export interface OutsideView {
  name: string
  /** `push`: a paired device */
  kind: OutsideKind | 'push'
  /** null: the address is not known, e.g. because its stored secret is gone */
  host: string | null
  on: boolean
  /** null: all */
  classes: readonly NoticeClass[] | null
  texts: boolean
  /** a bearer token is sent with each notice */
  token: boolean
  state: OutsideState
}

/** One that stands in the config. */
export type OutsidePlace = OutsideView & { kind: OutsideKind }
export const inConfig = (view: OutsideView): view is OutsidePlace => view.kind !== 'push'

export type OutsideTest = { ok: true; tookMs: number } | { ok: false; why: OutsideFailure }

/** The topic of an ntfy address, and the server it is on; null: it names none. */
export function topicOf(url: string): { server: string; topic: string } | null {
  if (!URL.canParse(url)) return null
  const { origin, pathname } = new URL(url)
  const steps = pathname.split('/').filter((step) => step !== '')
  const topic = steps.pop()
  if (topic === undefined || !/^[-_A-Za-z0-9]{1,64}$/.test(topic)) return null
  return { server: [origin, ...steps, ''].join('/'), topic }
}
