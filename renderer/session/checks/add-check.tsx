import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { splitCommand } from '../../../shared/commands/split-command.ts'
import { Problem } from '../../parts/trouble.tsx'
import { useOrder } from '../../parts/use-order.ts'

/** A check of a person's own, written as one types it; the engine says what it does not take. */
export function AddCheck({ session, onDone }: { session: string; onDone: () => void }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const [command, setCommand] = useState('')
  const { busy, refused, refuse, give } = useOrder()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    input.current?.focus()
  }, [])
  const t = w.checks
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const words = splitCommand(command)
    if (words === null) return refuse(t.badCommand)
    if (words.length === 0) return refuse(t.noCommand)
    const declared = await give(() => actions.declareCheck({ session, command: command.trim() }))
    if (declared.ok) onDone()
  }
  return (
    <form
      className="check-add"
      onSubmit={(e) => void submit(e)}
      onKeyDown={(e) => {
        if (e.key === 'Escape') {
          e.stopPropagation()
          onDone()
        }
      }}
    >
      <div className="hstack">
        <TextField
          ref={input}
          boxClass="grow mono"
          label={t.command}
          hideLabel
          placeholder={t.commandPlaceholder}
          value={command}
          disabled={!live}
          aria-invalid={refused !== null || undefined}
          onChange={(e) => setCommand(e.currentTarget.value)}
        />
        <Button type="submit" tone="primary" busy={busy} disabled={!live}>
          {t.addDo}
        </Button>
        <Button tone="quiet" onClick={onDone}>
          {w.say.cancel}
        </Button>
      </div>
      {refused ? <Problem text={refused} /> : <p className="meta">{t.addHint}</p>}
    </form>
  )
}
