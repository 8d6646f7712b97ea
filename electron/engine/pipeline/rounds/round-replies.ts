import type { EntryProtocol } from '../../../../shared/words.ts'
import type { WholeAnswer } from '../../protocol/answer/whole-answer.ts'
import type { HiddenNames } from '../../protocol/server-tools.ts'
import type { RoundSteps } from '../answer/chain.ts'
import type { Reply } from '../types.ts'
import { hideCalls, type HideCalls } from './hide-calls.ts'
import { joinAnswer, type JoinedAnswer, type JoinOptions } from './join-answer.ts'

/** The client's one response, written by several rounds one after the other. */
export interface RoundReplies {
  /** calls by these names are taken out */
  readonly names: HiddenNames
  /** the request is needed until the round is over: another may be made of it */
  readonly keepsRequest: boolean
  /** anew for each upstream that is asked */
  readonly rounds: RoundSteps
  /** only the round under way learns that the client has room again or is gone */
  onDrain(listener: () => void): void
  onClose(listener: () => void): void
  /** the client lacks the end of what came */
  lacksEnd(): boolean
  /** the answer of the round that has just ended, as it came; null when it is too large */
  answer(): WholeAnswer | null
  /** calls were taken out of the round */
  hidden(): boolean
  /** the round had text, thinking or a call of the client's */
  said(): boolean
  /** the client's view of the whole answer */
  readonly joined: JoinedAnswer
  /** the round is whole and another follows; `may-break`: the answer would do without it */
  next(how: 'may-break' | 'must-come'): void
}

export interface RoundOptions extends JoinOptions {
  /** calls by these names are taken out; empty: none */
  names: HiddenNames
  keepsRequest: boolean
  /** the answer is read when it is over, whatever it holds */
  keepsAnswer?: boolean
  /** Responses: the id that the client goes on from, as it sent it */
  previousResponseId?: string | null
  /** the model produced something for the client, in a round that streams */
  onSaid?(): void
}

/** Sits between `send` and the client: each round hides its calls, and all of them become one response. */
export function roundReplies(client: Reply, entry: EntryProtocol, wishes: RoundOptions): RoundReplies {
  const { names, previousResponseId = null } = wishes
  const keeps = names.size > 0 || wishes.holdsEnd || wishes.holdsEmpty || wishes.keepsAnswer === true
  const joined = joinAnswer(client, entry, wishes)
  let round: HideCalls | null = null
  let closed = false
  let drained: () => void = () => undefined
  let left: () => void = () => undefined
  client.onDrain(() => drained())
  client.onClose(() => {
    closed = true
    left()
  })

  function onSaid(): void {
    wishes.onSaid?.()
    if (round && !round.hidden) joined.says()
  }

  return {
    names,
    keepsRequest: wishes.keepsRequest,
    joined,
    rounds: {
      join: (next) => joined.round(next),
      hide(next) {
        const hiding = hideCalls(entry, { names, previousResponseId, keeps, onSaid, onHidden: joined.changes }, next)
        round = hiding
        return hiding
      },
    },
    onDrain(listener) {
      drained = listener
    },
    onClose(listener) {
      left = listener
      if (closed) queueMicrotask(listener)
    },
    lacksEnd: () => joined.open(),
    answer: () => round?.answer() ?? null,
    hidden: () => round?.hidden ?? false,
    said: () => round?.said ?? false,
    next(how) {
      joined.next(how)
      round = null
    },
  }
}
