import type { Spend } from './cost/cost.ts'

/** What an agent goes on by besides Onward: it sets these itself, and Onward sees them in its requests. */
export const driveKinds = ['goal', 'loop', 'wakeup', 'schedule', 'command', 'monitor', 'agent'] as const
export type DriveKind = (typeof driveKinds)[number]

export type DriveState =
  /** it is set, or it runs */
  | { is: 'on' }
  | { is: 'over'; at: number; how: 'ended' | 'fired' | 'cleared' }
  /** nothing proves that it still is, since then */
  | { is: 'unknown'; at: number; why: 'agent-ended' | 'history' | 'compaction' | 'failed' | 'quiet' | 'told' }
  /** a person stopped it: its agent is told, by this entry. `refuses`: its next turn gets an error */
  | { is: 'stopping'; at: number; refuses?: true | undefined; entry?: string | undefined }
  /** after a person stopped it: it ended, its turn was refused, or its agent holds it until it may go on */
  | { is: 'stopped'; at: number; how: 'by-agent' | 'refused' | 'paused' }
  /** it did not come at its time. `rescued`: an alarm of Onward's took its place */
  | { is: 'missed'; due: number; at: number; rescued: boolean }

/** How much of each may be used until a person is asked; null: no bound of that. */
export interface DriveLimits {
  rounds: number | null
  hours: number | null
  tokens: number | null
  costUsd: number | null
}

export interface DriveUse {
  since: number
  turns: number
  tokens: number
  costUsd: number | null
}

/** The first bound that was reached. */
export interface DriveAsk {
  budget: 'rounds' | 'time' | 'tokens' | 'cost'
  limit: number
}

/** One drive's own. `from`: when a person set it or last let it go on, and what it had used then */
export interface DriveBound extends DriveLimits {
  from: DriveUse
  asked: DriveAsk | null
}

export interface DriveFacts extends Spend {
  /** as its client names it, else its kind: there is one at most of those */
  id: string
  /** its own words for what it is; null: not known */
  what: string | null
  /** null: it was there before Onward saw it */
  since: number | null
  /** the last word of it on the wire */
  seen: number
  /** the tool whose call set it, or `message`, or `request` of a sub-agent */
  source: string
  /** of the agent; null: its requests do not say */
  version: string | null
  /** turns that it began, or requests of a sub-agent */
  turns: number
  tokens: number
  /** the turn that runs now is its own */
  works?: true | undefined
  /** the call that set it: the same one, seen again, changes nothing */
  call?: string | undefined
  bound?: DriveBound | undefined
  state: DriveState
}

/** `next` null: not known, or it comes no more. `latest`: it may come as late as that by itself */
interface Timed {
  prompt: string
  next: number | null
  latest: number | null
}

export type OwnDrive = DriveFacts &
  (
    | { kind: 'goal' | 'command' | 'monitor' | 'agent' } /** `armed`: it will come once more */
    | ({ kind: 'loop' | 'wakeup'; armed: boolean } & Timed)
    | ({ kind: 'schedule'; cron: string; once: boolean } & Timed)
  )

/** It may begin turns, or does: nothing has ended it. */
export const isOpen = ({ state }: Pick<OwnDrive, 'state'>): boolean =>
  state.is === 'on' || state.is === 'stopping' || state.is === 'unknown'

const hourMs = 3_600_000

/** How much of each limit is used, in the order they are asked. `used` null: not known */
export const limitsUsed = (
  { since, turns, tokens, costUsd }: DriveUse,
  limits: DriveLimits,
  now: number,
): readonly (DriveAsk & { used: number | null })[] =>
  (
    [
      ['rounds', limits.rounds, turns],
      ['time', limits.hours, (now - since) / hourMs],
      ['tokens', limits.tokens, tokens],
      ['cost', limits.costUsd, costUsd],
    ] as const
  ).flatMap(([budget, limit, used]) => (limit === null ? [] : [{ budget, limit, used }]))

/** What counts towards its own bound. */
export const usedOfBound = ({ turns, tokens, costUsd }: DriveFacts, { from }: DriveBound): DriveUse => ({
  since: from.since,
  turns: turns - from.turns,
  tokens: tokens - from.tokens,
  costUsd: costUsd === null ? null : costUsd - (from.costUsd ?? 0),
})

/** A drive that asks a person, by what they know of it. */
export type AskingDrive = Pick<OwnDrive, 'id' | 'kind' | 'what'>

/** It may begin a turn, and nobody stopped it. */
export const isFree = (drive: Pick<OwnDrive, 'state'>): boolean => isOpen(drive) && drive.state.is !== 'stopping'

/** A person is asked at its own bound. */
export const asksAtBound = <D extends OwnDrive>(drive: D): drive is D & { bound: DriveBound & { asked: DriveAsk } } =>
  Boolean(drive.bound?.asked) && isFree(drive)
