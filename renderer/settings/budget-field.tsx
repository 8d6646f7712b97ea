import { useRef, useState, type KeyboardEvent } from 'react'
import { useApp, useLive, useWords } from '../app-context.ts'
import { TextField } from '../parts/field.tsx'
import { budgetText, parseBudget } from './parse-budget.ts'

export type BudgetName = 'rounds' | 'hours' | 'noProgressRounds' | 'tokens' | 'costUsd'

/** One limit: kept with Enter or when it is left, put back with Escape. */
export function BudgetField({
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
