import type { MockRequest } from '../support/mock-upstream/index.ts'

/** Each conversation is about one of these: its first message and its title name it. */
const subjects = (
  'apples pears plums cherries lemons melons quinces peaches figs dates ' +
  'grapes olives onions carrots beets leeks radishes turnips lentils beans'
).split(' ')

/** None is a part of another one: agents' lists filter by parts. */
export const subjectOf = (n: number): string => `${subjects[n % subjects.length]}${Math.floor(n / subjects.length)}`
export const firstMessage = (subject: string): string => `Tell me about ${subject}.`

/** The conversation that a request belongs to, by the first message in its history. */
export function subjectIn({ body }: Pick<MockRequest, 'body'>): string | null {
  const found = known.get(body) ?? { subject: /Tell me about (\w+)\./.exec(body.toString())?.[1] ?? null }
  known.set(body, found)
  return found.subject
}
const known = new WeakMap<Buffer, { subject: string | null }>()

/** A text that was handed to Onward for a conversation. */
export interface Ordered {
  /** stands in this text and in no other */
  id: string
  subject: string
  kind: 'say' | 'alarm' | 'round'
  /** comes so often at the most */
  times: number
}

type Seen = Pick<MockRequest, 'body' | 'lastUserText' | 'n'>

/**
 * What went wrong with ordered texts, as the provider saw it. Empty: each came to its own conversation,
 * not too often, alone.
 */
export function faultsOf(turns: readonly Seen[], ordered: readonly Ordered[]): string[] {
  return ordered.flatMap((order) => {
    const { id, subject, times } = order
    const faults = turns
      .filter((turn) => turn.body.includes(id) && subjectIn(turn) !== subject)
      .map((turn) => `${id}, meant for ${subject}, came in the one about ${subjectIn(turn)} (request ${turn.n})`)
    const came = timesIn(turns, order)
    if (came > times) faults.push(`${id} came ${came} times in place of ${times}`)
    // Alarms that are due together come together.
    const others = ordered.filter((other) => other !== order && (order.kind !== 'alarm' || other.kind !== 'alarm'))
    for (const { lastUserText, n } of turns)
      if (lastUserText?.includes(id))
        for (const other of others)
          if (lastUserText.includes(other.id)) faults.push(`${id} came together with ${other.id} (request ${n})`)
    return faults
  })
}

/** How often a text stands in a history of its conversation, at the most: an agent that goes back may forget some. */
export function timesIn(turns: readonly Pick<MockRequest, 'body'>[], { subject, id }: Ordered): number {
  const own = turns.filter((turn) => subjectIn(turn) === subject && turn.body.includes(id))
  return Math.max(0, ...own.map(({ body }) => body.toString().split(id).length - 1))
}
