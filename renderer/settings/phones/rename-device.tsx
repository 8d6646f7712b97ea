import { useState, type FormEvent } from 'react'
import type { DeviceView } from '../../../shared/devices.ts'
import { useApp, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'

export function RenameDevice({ device, onClose }: { device: DeviceView; onClose: () => void }) {
  const { actions } = useApp()
  const { w } = useWords()
  const [name, setName] = useState(device.name)
  const [problem, setProblem] = useState<string | null>(null)
  const t = w.phone
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const outcome = await actions.ask((c) => c.renameDevice.mutate({ device: device.id, name }))
    if (outcome.ok) onClose()
    else setProblem(outcome.problem.message)
  }
  return (
    <Dialog title={t.renameTitle} onClose={onClose}>
      <form className="dialog-form" noValidate onSubmit={(e) => void submit(e)}>
        <TextField
          label={t.name}
          maxLength={64}
          data-autofocus
          value={name}
          problem={problem}
          onChange={(e) => setName(e.currentTarget.value)}
        />
        <div className="dialog-foot">
          <Button type="submit" tone="primary" disabled={name.trim() === ''}>
            {t.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
