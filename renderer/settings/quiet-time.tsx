import { useRef, useState, type KeyboardEvent } from 'react'
import { useApp, useLive, useWords } from '../app-context.ts'
import { TextField } from '../parts/field.tsx'
import { readTimeOfDay } from './read-time-of-day.ts'

/** One end of the quiet hours: kept with Enter or when it is left, put back with Escape. */
export function QuietTime({ member, value }: { member: 'from' | 'to'; value: string }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const [text, setText] = useState(value)
  const [problem, setProblem] = useState<string | null>(null)
  /** on its way, or there already: Enter, and the field that loses the focus when the new value comes, ask once */
  const asked = useRef(value)
  const t = w.settings.quiet
  const save = async () => {
    const wanted = readTimeOfDay(text)
    if (wanted === null) return setProblem(t.badTime)
    setProblem(null)
    setText(wanted)
    if (wanted === asked.current) return
    asked.current = wanted
    const outcome = await actions.setQuietTime(member, wanted, value, t.saved(t[member], wanted))
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
    setText(value)
    setProblem(null)
  }
  return (
    <TextField
      label={t[member]}
      boxClass="num"
      placeholder="22:00"
      value={text}
      problem={problem}
      disabled={!live}
      onChange={(e) => setText(e.currentTarget.value)}
      onBlur={() => void save()}
      onKeyDown={onKeyDown}
    />
  )
}
