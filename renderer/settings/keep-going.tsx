import { useRef, useState, type KeyboardEvent } from 'react'
import { useWords, useApp, useLive } from '../app-context.ts'
import type { EngineStatus } from '../../shared/state.ts'
import { Shape } from '../icons/shape.tsx'
import { TextField } from '../parts/field.tsx'
import { Said } from '../parts/said.tsx'
import { routeOf } from '../session/review/reviewer-name.ts'
import { More } from './fields/more.tsx'
import { useSettingView } from './fields/setting-views.tsx'
import { Setting } from './fields/setting.tsx'
import { budgetText, parseBudget } from './parse-budget.ts'

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

type BudgetName = 'rounds' | 'hours' | 'noProgressRounds' | 'tokens' | 'costUsd'

/** One limit: kept with Enter or when it is left, put back with Escape. */
function BudgetField({
  name,
  label,
  hint,
  whole,
  value,
  most,
}: {
  name: BudgetName
  label: string
  hint?: string
  whole: boolean
  value: number | null
  /** the bound that an organisation set; null: none */
  most: number | null
}) {
  const { actions } = useApp()
  const { w, f } = useWords()
  const live = useLive()
  const [text, setText] = useState(() => budgetText(value))
  const [problem, setProblem] = useState<string | null>(null)
  /** on its way, or there already: Enter, and the field that loses the focus when the new value comes, ask once */
  const asked = useRef(value)
  const t = w.settings
  const held = most === null ? null : w.policy.most(budgetText(most))
  // An organisation's bound holds for every goal.
  const said = held ?? hint
  const save = async () => {
    const wanted = parseBudget(text, whole)
    if (wanted === 'bad') return setProblem(whole ? t.badWhole : t.badNumber)
    setProblem(null)
    if (wanted === asked.current) return setText(budgetText(wanted))
    asked.current = wanted
    const outcome = await actions.setBudget(
      name,
      wanted,
      value,
      t.budgetsSaved(label, wanted === null ? t.noLimit : budgetText(wanted)),
    )
    if (outcome.ok) return
    asked.current = value
    setProblem(outcome.problem.message)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      void save()
    }
    if (event.key !== 'Escape') return
    event.stopPropagation()
    setText(budgetText(value))
    setProblem(null)
  }
  return (
    <div className="budget">
      <span className="t2" aria-hidden="true">
        {label}
      </span>
      <TextField
        label={said === undefined ? label : f.list([label, said])}
        hideLabel
        inputMode={whole ? 'numeric' : 'decimal'}
        placeholder={held ?? t.noLimit}
        boxClass="num"
        value={text}
        problem={problem}
        disabled={!live}
        onChange={(e) => setText(e.currentTarget.value)}
        onBlur={() => void save()}
        onKeyDown={onKeyDown}
      />
      {said !== undefined && (
        <span className="meta" aria-hidden="true">
          {said}
        </span>
      )}
    </div>
  )
}

type Review = NonNullable<EngineStatus['review']>

/** The reviewer that checks whether a goal is reached, its model or command, and its limits. */
export function Reviewer({ review }: { review: Review }) {
  const { w } = useWords()
  const backend = useSettingView('stopMessage.review.backend')?.value ?? review.backend
  const route = routeOf(review)
  const { by, problem } = review
  const t = w.settings
  return (
    <section aria-label={t.reviewer}>
      <h2>{t.reviewer}</h2>
      {by !== '' && (
        <p>
          {route !== null
            ? t.reviewerRoute(route)
            : review.backend === 'model'
              ? t.reviewerModel(by)
              : t.reviewerCommand(by)}
        </p>
      )}
      <p className="tool-note">
        <Shape shape={problem === null ? 'done' : 'needs'} />
        <span>{problem ?? t.reviewerFine}</span>
      </p>
      <p className="meta">
        <Said text={t.reviewerHow} />
      </p>
      <Setting name="stopMessage.review.backend" />
      {backend === 'model' ? (
        <Setting name="stopMessage.review.model" />
      ) : (
        <Setting name="stopMessage.review.command" />
      )}
      <Setting name="stopMessage.review.timeoutSeconds" unit="seconds" />
      <Setting name="stopMessage.review.checkTimeoutSeconds" unit="seconds" />
      <More>
        <Setting name="stopMessage.review.maxSteps" unit="answers" />
        <Setting name="stopMessage.review.context.textChars" unit="characters" />
        <Setting name="stopMessage.review.context.calls" unit="calls" />
        <Setting name="stopMessage.review.context.callChars" unit="characters" />
        <Setting name="stopMessage.review.context.rounds" unit="rounds" />
      </More>
    </section>
  )
}
