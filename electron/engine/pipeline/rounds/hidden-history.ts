import {
  withoutBlanks,
  type CallResult,
  type HiddenHistory,
  type RoundSaid,
  type ServerToolCodec,
} from '../../protocol/server-tools/types.ts'

/** The parts of one HTTP call that the client does not see, and the answer it gets instead. */
export interface HiddenRound {
  hidden: HiddenHistory
  /** the client's answer: visible text without blanks, and its own calls */
  text: string
  calls: readonly string[]
  /** the client's id of the answer, and that of its last round */
  responseId: string | null
  continuesAs: string | null
}

export interface HiddenHistoryWriter {
  /** a round that another followed, and the messages to the model after it */
  round(said: RoundSaid, items: readonly Buffer[]): void
  /** the round that was to follow broke off, and the answer ends as if it had not been requested */
  dropRound(): void
  rounds(): number
  /** visible text of the rounds so far, without blanks */
  text(): string
  /** `said`: the last round; null where nothing was hidden at all */
  end(last: {
    said: RoundSaid | null
    results: readonly CallResult[]
    filler: string | null
    responseId: string | null
    continuesAs: string | null
  }): HiddenRound
}

/** `reminder`: went up after the client's own request, before everything the model said. */
export function hiddenHistory(serverTools: ServerToolCodec, reminder: Buffer | null = null): HiddenHistoryWriter {
  const before: { items: string[]; text: string }[] = []
  const first = reminder === null ? [] : [reminder.toString('utf8')]
  const text = () => before.map((round) => round.text).join('')
  return {
    round(said, items) {
      before.push({
        items: [...said.items, ...items].map((item) => item.toString('utf8')),
        text: withoutBlanks(said.text),
      })
    },
    dropRound() {
      before.pop()
    },
    rounds: () => before.length,
    text,
    end({ said, results, filler, responseId, continuesAs }) {
      return {
        hidden: {
          before: [...first, ...before.flatMap(({ items }) => items)],
          filler: filler !== null,
          calls: said?.hidden.map(({ json, callsBefore }) => ({ json, callsBefore })) ?? [],
          results: results.length === 0 ? [] : serverTools.resultsBeside(results),
        },
        text: text() + withoutBlanks(filler ?? said?.text ?? ''),
        calls: said?.calls ?? [],
        responseId,
        continuesAs,
      }
    },
  }
}
