import type { Missed } from '../model/types.ts'

/** One alarm as the outside saw it, known by its text. */
interface Seen {
  session: string
  /** of the order that was last acknowledged */
  due: number
  /** orders that asked for it, acknowledged or not: it may be sent as often as this */
  asked: number
  /** times it was typed, or went into an answer that began or may have begun */
  sent: number
  /** a receipt, or an answer that began, since `armedAt` */
  arrived: boolean
  /**
   * when it was last taken back, or ordered anew: nothing is certain until an order that began then or later is
   * answered
   */
  doubtedAt: number
  armedAt: number
}

/** Keeps the books of the property: what was acknowledged, what was sent, what arrived. */
export interface Witness {
  /** an order begins */
  asks(text: string, session: string, due: number): number
  again(text: string): number
  /** the order that began then was answered */
  armed(text: string, due: number, begun: number): void
  /** it is taken back, perhaps */
  loosen(text: string): void
  loosenAll(session: string): void
  sends(text: string): void
  arrives(text: string): void
  /** texts whose order was answered, or that may exist all the same */
  seen: ReadonlyMap<string, Seen>
  /** everything that is wrong, once all times are over */
  verdict(missed: readonly Missed[]): string[]
}

export const alarmsIn = (text: string): string[] =>
  Array.from(text.matchAll(/\[scheduled task:"(A\d+)"\]/g), ([, name]) => name ?? '')

export function witness(): Witness {
  const seen = new Map<string, Seen>()
  let moment = 0
  const change = (text: string, how: (one: Seen) => void) => {
    const one = seen.get(text)
    if (one) how(one)
  }
  return {
    seen,
    asks(text, session, due) {
      seen.set(text, { session, due, asked: 1, sent: 0, arrived: false, doubtedAt: ++moment, armedAt: 0 })
      return moment
    },
    again(text) {
      const now = ++moment
      change(text, (one) => {
        one.asked += 1
        one.arrived = false
        one.doubtedAt = now
      })
      return now
    },
    armed: (text, due, begun) =>
      change(text, (one) => {
        one.due = due
        one.armedAt = begun
      }),
    loosen(text) {
      change(text, (one) => {
        one.doubtedAt = ++moment
      })
    },
    loosenAll(session) {
      for (const one of seen.values()) if (one.session === session) one.doubtedAt = ++moment
    },
    sends(text) {
      for (const name of alarmsIn(text))
        change(name, (one) => {
          one.sent += 1
        })
    },
    arrives(text) {
      for (const name of alarmsIn(text))
        change(name, (one) => {
          one.arrived = true
        })
    },
    verdict(missed) {
      const problems: string[] = []
      for (const [text, { asked, sent, arrived, armedAt, doubtedAt }] of seen) {
        const lost = missed.filter(({ task }) => task.task === text)
        if (sent > asked) problems.push(`${text} was sent ${sent} times for ${asked} orders`)
        if (asked === 1 && sent > 0 && lost.some(({ why }) => why === 'expired'))
          problems.push(`${text} was sent, and is missed as expired`)
        if (lost.length > asked) problems.push(`${text} is missed ${lost.length} times for ${asked} orders`)
        if (armedAt >= doubtedAt && !arrived && lost.length === 0) problems.push(`${text} vanished`)
      }
      return problems
    },
  }
}
