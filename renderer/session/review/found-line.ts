/** A reviewer's findings, line by line, best first. Pure. */
import type { Words } from '../../i18n/index.ts'
import type { Evidence, Inspection, ReviewView } from '../../../shared/review.ts'

/** `ok: false`: it was tried and did not work */
export interface FoundLine {
  key: string
  text: string
  title: string
  ok: boolean
}

/** Evidence where it gave some, else what it looked at. */
export const foundLines = (review: ReviewView, words: Words): FoundLine[] =>
  review.evidence.length > 0
    ? review.evidence.map(evidenceLine)
    : review.looks.map((look, i) => inspectionLine(look, i, words))

export const evidenceLine = ({ claim, source, result }: Evidence, index: number): FoundLine => ({
  key: `${index} ${claim}`,
  text: result === '' || result === claim ? claim : `${claim}: ${result}`,
  title: source,
  ok: true,
})

export function inspectionLine(
  { tool, what, ok, say }: Inspection,
  index: number,
  { w, f }: Pick<Words, 'w' | 'f'>,
): FoundLine {
  const done = w.review.look[tool](what)
  return { key: `${index} ${tool}`, text: say === '' ? done : f.list([done, say]), title: `${tool} ${what}`.trim(), ok }
}

/** For the clipboard: all of it, as plain text. */
export function foundText(review: ReviewView, words: Words): string {
  const { w, s } = words
  const blockers = review.blockers.map(({ kind, text }) => `${w.review.blocker[kind]}: ${text}`)
  const checks = review.checks.map((run) => s.checkRan(run))
  return [
    w.review.label(review.round),
    s.reviewOutcome(review.outcome),
    review.say,
    ...review.evidence.map((one, i) => `${evidenceLine(one, i).text} (${one.source})`),
    ...blockers,
    ...checks,
  ]
    .filter(Boolean)
    .join('\n')
}
