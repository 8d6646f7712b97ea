import type { RoundView } from '../../../shared/review.ts'
import { excerpt, shapeGlyphs, type Sentences } from '../../../shared/sentences/index.ts'
import type { SessionShape } from '../../../shared/words.ts'
import { oneLine } from './clean.ts'
import { facts } from './columns.ts'
import { plural, type Words } from './print.ts'
import { reviewFacts, type Facts } from './review-facts.ts'

/** enough to know it again; `--json` has the whole */
const textLetters = 240

/** One round: the agent's work, the reviewer's findings, the followup. */
export function roundText(round: RoundView, { style }: Words, sentences: Sentences, now: number): string {
  const shape = shapeOf(round)
  const { figures } = sentences
  const mark = style.shape(shape, shapeGlyphs[shape])
  const at = style.quiet(figures.minuteOfDay(round.at, now))
  return `${mark} ${style.strong(`Round ${round.n}`)}  ${at}\n${facts(
    [
      ...didFacts(round, sentences),
      ...(round.review ? reviewFacts(round.review, sentences) : []),
      ...(round.sent === null ? [] : [['Sent', `“${excerpt(oneLine(round.sent), textLetters)}”`] as const]),
      ...(round.progress === false ? [['Progress', 'none'] as const] : []),
    ],
    style.quiet,
  )}`
}

function didFacts({ did }: RoundView, { figures }: Sentences): Facts {
  const tools = did.tools.map(({ name, count }) => (count === 1 ? name : `${name} ×${count}`))
  return [
    ['Did', did.calls === 0 ? 'no tool call' : `${plural(did.calls, 'tool call')}: ${figures.list(tools)}`],
    ...(did.text === '' ? [] : [['Said', `“${excerpt(oneLine(did.text), textLetters)}”`] as const]),
  ]
}

function shapeOf({ review, sent }: RoundView): SessionShape {
  switch (review?.outcome.code) {
    case 'reached':
    case 'reached-unchecked':
      return 'done'
    case 'needs-user':
    case 'checks-unapproved':
      return 'needs'
    case 'failed':
      return 'failed'
    case 'discarded':
      return 'gone'
    case 'not-reached':
    case 'checks-failed':
    case undefined:
      return sent === null ? 'idle' : 'held'
  }
}
