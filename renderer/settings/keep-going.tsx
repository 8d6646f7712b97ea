import { useEngine, useWords } from '../app-context.ts'
import { Shape } from '../icons/shape.tsx'
import { Said } from '../parts/said.tsx'
import type { EngineStatus } from '../../shared/state.ts'
import { routeOf } from '../session/review/reviewer-name.ts'
import { BudgetField, type BudgetName } from './budget-field.tsx'

type Budgets = NonNullable<EngineStatus['budgets']>

/** When a goal stops to ask, and who reviews. */
export function KeepGoing({ budgets }: { budgets: Budgets }) {
  const { w } = useWords()
  const review = useEngine((s) => s.status?.review)
  const t = w.settings
  const fields: readonly { name: BudgetName; label: string; hint?: string; whole: boolean }[] = [
    { name: 'rounds', label: t.budgetRounds, hint: t.budgetRoundsHint, whole: true },
    { name: 'hours', label: t.budgetHours, whole: false },
    { name: 'noProgressRounds', label: t.budgetProgress, whole: true },
    { name: 'tokens', label: t.budgetTokens, whole: true },
    { name: 'costUsd', label: t.budgetCost, whole: false },
  ]
  return (
    <section aria-label={t.keepGoing}>
      <h2>{t.keepGoing}</h2>
      <p className="meta">{t.keepGoingHint}</p>
      <div className="budgets" role="group" aria-label={t.budgetsOf}>
        {/* With another value from elsewhere the field begins anew. */}
        {fields.map((field) => (
          <BudgetField
            key={`${field.name} ${budgets[field.name] ?? ''}`}
            {...field}
            value={budgets[field.name] ?? null}
          />
        ))}
      </div>
      {review && <Reviewer review={review} />}
    </section>
  )
}

function Reviewer({ review }: { review: NonNullable<EngineStatus['review']> }) {
  const { w } = useWords()
  const { backend, by, problem } = review
  const route = routeOf(review)
  const t = w.settings
  return (
    <div className="tool-group">
      <h3 className="meta">{t.reviewer}</h3>
      {by !== '' && (
        <p>
          {route !== null ? t.reviewerRoute(route) : backend === 'model' ? t.reviewerModel(by) : t.reviewerCommand(by)}
        </p>
      )}
      <p className="tool-note">
        <Shape shape={problem === null ? 'done' : 'needs'} />
        <span>{problem ?? t.reviewerFine}</span>
      </p>
      <p className="meta">
        <Said text={t.reviewerHow} />
      </p>
    </div>
  )
}
