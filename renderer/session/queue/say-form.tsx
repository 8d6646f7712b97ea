import { useState, type FormEvent } from 'react'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { AreaField } from '../../parts/field.tsx'
import type { SessionView } from '../../../shared/state.ts'
import { Problem } from '../../parts/trouble.tsx'

/** A message of one's own: goes through the same queue, so it never lands in the middle of a line or in a dialog. */
export function SayForm({ session, placeholder }: { session: SessionView; placeholder?: string }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    if (text.trim() === '' || busy) return
    setBusy(true)
    const outcome = await actions.say(session.id, text)
    setBusy(false)
    setProblem(outcome.ok ? null : outcome.problem.message)
    if (outcome.ok) setText('')
  }
  return (
    <form onSubmit={(e) => void submit(e)}>
      <div className="queue-say">
        <AreaField
          boxClass="grow"
          label={w.queue.say}
          hideLabel
          placeholder={placeholder ?? w.queue.sayPlaceholder}
          value={text}
          maxLength={262_144}
          disabled={!live}
          onChange={(e) => setText(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key === 'Enter' && !e.shiftKey && !e.nativeEvent.isComposing) {
              e.preventDefault()
              void submit()
            }
          }}
        />
        <Button type="submit" busy={busy} disabled={!live || text.trim() === ''}>
          {w.queue.send}
        </Button>
      </div>
      <Problem text={problem} />
    </form>
  )
}
