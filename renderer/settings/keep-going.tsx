import { useWords } from '../app-context.ts'
import type { EngineStatus } from '../../shared/state.ts'
import { BudgetField, type BudgetName } from './budget-field.tsx'
import { Setting } from './fields/setting.tsx'

type Budgets = NonNullable<EngineStatus['budgets']>

/** When a goal stops to ask. */
export function KeepGoing({
  budgets,
  bounds,
}: {
  budgets: Budgets
  /** of an organisation; null: none */
  bounds: Readonly<Record<BudgetName, number | null>>
}) {
  const { w } = useWords()
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
            most={bounds[field.name]}
            value={budgets[field.name] ?? null}
          />
        ))}
      </div>
      <Setting name="stopMessage.backgroundWaitSeconds" unit="minutes" />
      <Setting name="stopMessage.settleMs" unit="ms" />
      <Setting name="goal.keepAwake" />
      <Setting name="goal.revive" />
      <Setting name="limits.pauseAt" unit="percent" />
      <Setting name="limits.order" />
      <Setting name="keepWarm.providers" />
      <Setting name="keepWarm.usdPerDay" />
      <Setting name="keepWarm.pingsPerDay" unit="times" />
      <Setting name="drives.refuse" />
      <Setting name="drives.rescueWakeups" />
      <Setting name="drives.rescueSchedules" />
      <Setting name="recover.when" />
      <Setting name="recover.text" />
      <Setting name="recover.mostPerOutage" unit="times" />
      <Setting name="recover.mostPerDay" unit="times" />
    </section>
  )
}
