import { useState, type FormEvent } from 'react'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { AreaField } from '../../parts/field.tsx'
import type { SessionView } from '../../../shared/state.ts'
import { Problem } from '../../parts/trouble.tsx'
import { useOrder } from '../../parts/use-order.ts'

/** A message of one's own: goes through the same queue, so it never lands in the middle of a line or in a dialog. */
export function SayForm({ session, placeholder }: { session: SessionView; placeholder?: string }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive('say')
  const [text, setText] = useState('')
  const { busy, refused, give } = useOrder()
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    if (text.trim() === '' || busy) return
    if ((await give(() => actions.say(session.id, text))).ok) setText('')
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
      <Problem text={refused} />
    </form>
  )
}
