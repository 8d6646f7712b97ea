/** A reviewer's findings, as labelled lines: the same for the latest review and for a round. */
import type { Evidence, ReviewView } from '../../../shared/review.ts'
import type { Sentences } from '../../../shared/sentences/index.ts'

export type Facts = readonly (readonly [label: string, value: string])[]

/** the first line has the label, the others stand under it */
export const labelled = (label: string, values: readonly string[]): Facts =>
  values.map((value, i) => [i === 0 ? label : '', value] as const)

export function reviewFacts(review: ReviewView, { reviewed, checkRan, figures }: Sentences): Facts {
  const { by, ms, usage, evidence, blockers, checks } = review
  const cost = [
    by,
    figures.took(ms),
    ...(usage ? [`${figures.tokens(usage.input + usage.output)} tokens`] : []),
    figures.cost(review) ?? '',
  ]
  return [
    ['Reviewer', `${reviewed(review)} (${figures.list(cost.filter((part) => part !== ''))})`],
    ...labelled('Evidence', evidence.map(evidenceText)),
    ...labelled(
      'Blockers',
      blockers.map(({ kind, text }) => `${kind}: ${text}`),
    ),
    ...labelled('Ran', checks.map(checkRan)),
  ]
}

const evidenceText = ({ claim, source, result }: Evidence): string =>
  `${claim}${result === '' ? '' : `: ${result}`} (${source})`
