/**
 * The goal's card as labelled lines: text, rounds, guards with the rest of each, checks, the latest review, the cost.
 */
import { routeCategories } from '../../../shared/config/names.ts'
import { guardsOf, type Guard } from '../../../shared/guards.ts'
import type { Evidence, ReviewView } from '../../../shared/review.ts'
import type { Sentences } from '../../../shared/sentences/index.ts'
import type { EngineStatus, SessionView, StopMessageView } from '../../../shared/state.ts'
import { targetText } from '../../../shared/target-text.ts'
import { progressOf } from './session-rows.ts'

type Status = Pick<EngineStatus, 'budgets' | 'review'>

export function stopMessageFacts(
  { stopMessage, lastStopMessage }: SessionView,
  status: Status,
  sentences: Sentences,
  now: number,
): Facts {
  if (stopMessage) return goalFacts(stopMessage, status, sentences, now)
  if (lastStopMessage)
    return [
      ['Cleared', lastStopMessage.text],
      ['Again', 'onward stop-message … --rearm'],
    ]
  return [['Not set', 'onward stop-message … "go on" --rounds 10']]
}

function goalFacts(view: StopMessageView, { budgets, review }: Status, sentences: Sentences, now: number): Facts {
  const { goal } = view
  return [
    [view.review ? 'Goal' : 'Text', view.text],
    ['Rounds', progressOf(view)],
    [
      'Review',
      !view.review
        ? 'off'
        : review
          ? 'on, by ' +
            ((routeCategories as readonly string[]).includes(review.by)
              ? `the route ${review.by}`
              : targetText(review.by))
          : 'on',
    ],
    ...(view.review && review?.problem ? [['', `It can’t review: ${review.problem}`] as const] : []),
    ...labelled(
      'Asks you after',
      guardsOf(view, budgets, now).map((guard) => guardText(guard, sentences)),
    ),
    ...(goal ? [['Spent', sentences.used(goal.spent)] as const] : []),
    ...(goal && view.review ? [['Reviewer spent', sentences.used(goal.reviewSpent)] as const] : []),
    ...labelled(
      'Checks',
      (goal?.checks?.checks ?? []).map(
        ({ name, running, last, approval }) =>
          `${name} ` +
          (running
            ? 'is running'
            : last
              ? sentences.checkOutcome(last.outcome)
              : approval === 'approved'
                ? 'never ran'
                : 'waits for your approval'),
      ),
    ),
    ...(goal?.latest
      ? [
          [
            'Latest review',
            `of round ${goal.latest.round}, ${sentences.figures.minuteOfDay(goal.latest.at, now)}`,
          ] as const,
          ...reviewFacts(goal.latest, sentences),
        ]
      : []),
  ]
}

/** “8 h, 1 h 14 min so far, 6 h 46 min left” */
function guardText({ budget, limit, used, atLeast }: Guard, { budget: said, figures }: Sentences): string {
  if (used === null) return `${said(budget, limit)}, what was spent is not known`
  const amount = (value: number): string => {
    switch (budget) {
      case 'rounds':
      case 'no-progress':
        return String(value)
      case 'time':
        return figures.span(value * 3_600_000)
      case 'tokens':
        return figures.tokens(value)
      case 'cost':
        return figures.money(value)
    }
  }
  const [least, most] = atLeast ? ['≥ ', '≤ '] : ['', '']
  return `${said(budget, limit)}, ${least}${amount(used)} so far, ${most}${amount(Math.max(0, limit - used))} left`
}

export type Facts = readonly (readonly [label: string, value: string])[]

/** the first line has the label, the others stand under it */
const labelled = (label: string, values: readonly string[]): Facts =>
  values.map((value, i) => [i === 0 ? label : '', value] as const)

/** A reviewer's findings, as labelled lines: the same for the latest review and for a round. */
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
