import type { Spend } from './cost/cost.ts'

/** What an agent goes on by besides Onward: it sets these itself, and Onward sees them in its requests. */
export const driveKinds = ['goal', 'loop', 'wakeup', 'schedule', 'command', 'monitor', 'agent'] as const
export type DriveKind = (typeof driveKinds)[number]

export type DriveState =
  /** it is set, or it runs */
  | { is: 'on' }
  | { is: 'over'; at: number; how: 'ended' | 'fired' | 'cleared' }
  /** nothing proves that it still is, since then */
  | { is: 'unknown'; at: number; why: 'agent-ended' | 'history' | 'compaction' | 'failed' | 'quiet' }
  /** a person stopped it: its agent is told. `refuses`: its next turn gets an error */
  | { is: 'stopping'; at: number; refuses?: true | undefined }
  /** it ended, or its turn was refused, after a person stopped it */
  | { is: 'stopped'; at: number; how: 'by-agent' | 'refused' }
  /** it did not come at its time. `rescued`: an alarm of Onward's took its place */
  | { is: 'missed'; due: number; at: number; rescued: boolean }

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
