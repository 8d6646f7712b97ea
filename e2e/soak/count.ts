import type { TimelineEvent } from '../../shared/events.ts'

/** One agent in one terminal, and what became of its followups. */
export interface SeatCount {
  agent: string
  terminal: string
  asked: number
  /** turns that carry the text alone, each followup counted once */
  received: number
  lost: number
  doubled: number
  /** turns of this agent with the words of another one */
  wrongPlace: number
  /** turns that hold the text together with something else */
  merged: number
  /** from the end of a turn to the text, in ms */
  stopToTyped: readonly number[]
  /** so often Enter was pressed a second time: the first came too soon for the agent */
  enterTwice: number
  /** what else happened meanwhile, and how often */
  thrown: string
  seconds: number
  problem: string | null
}

export interface Heard {
  asked: number
  /** what this seat's followups say */
  own: string
  /** what all others' say */
  others: readonly string[]
  /** what was said in each turn of this seat, the person's first message left out */
  said: readonly string[]
}

/** What a provider heard from one agent, against what was to be typed into it. */
export function countFollowups({
  asked,
  own,
  others,
  said,
}: Heard): Pick<SeatCount, 'received' | 'lost' | 'doubled' | 'wrongPlace' | 'merged'> {
  const whole = said.filter((text) => text === own).length
  const merged = said.filter((text) => text !== own && text.includes(own)).length
  return {
    received: Math.min(whole, asked),
    lost: Math.max(0, asked - whole - merged),
    doubled: Math.max(0, whole - asked),
    wrongPlace: said.filter((text) => others.some((other) => text.includes(other))).length,
    merged,
  }
}

/** How often the first Enter did nothing. */
export const entersTwice = (events: readonly TimelineEvent[]): number =>
  events.filter(({ body }) => body.type === 'submitted' && body.extraEnter).length

/** How long each followup came after the end of the turn it answers. */
export function stopsToTyped(events: readonly TimelineEvent[]): number[] {
  const waits: number[] = []
  let endedAt: number | null = null
  for (const { at, body } of events) {
    if (body.type === 'turn-ended' && body.kind === 'turn') endedAt = at
    if (body.type !== 'typed' || endedAt === null) continue
    waits.push(at - endedAt)
    endedAt = null
  }
  return waits
}
