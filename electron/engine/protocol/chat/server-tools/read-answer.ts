import type { WholeAnswer } from '../../answer/whole-answer.ts'
import type { HiddenNames, PlacedCall, RoundSaid } from '../../server-tools/types.ts'
import { parseObject } from '../../values.ts'
import { chatAnswerItems } from '../append-round.ts'
import { readCallEntry } from '../call-finder.ts'
import { calls as callsOf, text as visibleText } from '../facts.ts'

/** Reads one round's answer whole: its first choice. */
export function readAnswer(answer: WholeAnswer, names: HiddenNames): RoundSaid {
  const items = chatAnswerItems(answer)
  const message = parseObject(items[0] ?? nothing) ?? {}
  const hidden: PlacedCall[] = []
  const calls: string[] = []
  for (const value of callsOf(message)) {
    const { id, name, text } = readCallEntry(value)
    if (id === null || name === null) continue
    if (names.has(name))
      hidden.push({ call: { id, name, arguments: text }, json: JSON.stringify(value), callsBefore: calls.length })
    else calls.push(id)
  }
  return { items, text: visibleText(message['content']), hidden, calls }
}

const nothing = Buffer.alloc(0)
