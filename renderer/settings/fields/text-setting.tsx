import { useRef, useState, type KeyboardEvent } from 'react'
import type { Input } from '../../../shared/operations/index.ts'
import type { SettingView } from '../../../shared/settings.ts'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { TextField } from '../../parts/field.tsx'
import { isChanged } from './is-changed.ts'
import { SettingRow } from './setting-row.tsx'

export type ReadText = (text: string) => { value: Input<'setSetting'>['value'] } | { problem: string }

/** One setting that is written: kept with Enter or when it is left, put back with Escape. */
export function TextSetting({
  view,
  shown,
  usual,
  placeholder,
  unit,
  wide,
  read,
}: {
  view: SettingView
  /** its value as a person writes it */
  shown: string
  usual: string
  placeholder?: string
  unit?: string
  wide?: boolean
  read: ReadText
}) {
  const { actions } = useApp()
  const { w, f } = useWords()
  const live = useLive()
  const [text, setText] = useState(shown)
  const [problem, setProblem] = useState<string | null>(null)
  /** on its way, or there already: Enter, and the field that loses the focus when the new value comes, ask once */
  const asked = useRef(shown)
  const t = w.setting
  const label = t.names[view.name]
  const save = async () => {
    if (text.trim() === asked.current) return setProblem(null)
    const found = read(text)
    if ('problem' in found) return setProblem(found.problem)
    setProblem(null)
    const before = asked.current
    asked.current = text.trim()
    const said = found.value === null ? usual : [text.trim(), unit].filter(Boolean).join(' ')
    const outcome = await actions.setSetting(view, found.value, t.saved(label, said))
    if (outcome.ok) return
    asked.current = before
    setProblem(outcome.problem.message)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      void save()
    }
    if (event.key !== 'Escape') return
    event.stopPropagation()
    setText(shown)
    setProblem(null)
  }
  return (
    <SettingRow view={view} usual={usual} wide={wide} changed={isChanged(view)}>
      <TextField
        label={unit === undefined ? label : f.list([label, unit])}
        hideLabel
        inputMode={view.kind === 'number' ? 'decimal' : undefined}
        placeholder={placeholder}
        boxClass={view.kind === 'number' ? 'num' : undefined}
        after={unit === undefined ? undefined : <span className="meta">{unit}</span>}
        value={text}
        problem={problem}
        disabled={!live}
        onChange={(e) => setText(e.currentTarget.value)}
        onBlur={() => void save()}
        onKeyDown={onKeyDown}
      />
    </SettingRow>
  )
}
