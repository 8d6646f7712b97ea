import { useState, type FormEvent } from 'react'
import { useApp, useEngine, useLive, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'

export function RenameTerminal({ terminal, onClose }: { terminal: string; onClose: () => void }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const old = useEngine((s) => s.terminals.get(terminal)?.name ?? '')
  const [name, setName] = useState(old)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onClose()
    if (name.trim() !== '' && name.trim() !== old) void actions.renameTerminal(terminal, name.trim())
  }
  return (
    <Dialog title={w.terminal.rename} size={420} onClose={onClose}>
      <form onSubmit={submit}>
        <TextField
          label={w.say.name}
          value={name}
          maxLength={200}
          data-autofocus
          onFocus={(e) => e.currentTarget.select()}
          onChange={(e) => setName(e.currentTarget.value)}
        />
        <div className="dialog-foot">
          <Button tone="quiet" onClick={onClose}>
            {w.say.cancel}
          </Button>
          <Button type="submit" tone="primary" disabled={!live}>
            {w.say.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
