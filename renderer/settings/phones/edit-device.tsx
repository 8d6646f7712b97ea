import { useState, type FormEvent } from 'react'
import type { DeviceView } from '../../../shared/devices.ts'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { RightsField } from './rights-field.tsx'

/** Its name and what it may do. */
export function EditDevice({ device, onClose }: { device: DeviceView; onClose: () => void }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const [name, setName] = useState(device.name)
  const [rights, setRights] = useState(device.rights)
  const [problem, setProblem] = useState<string | null>(null)
  const t = w.phone
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const outcome = await actions.ask(async (c) => {
      if (rights !== device.rights) await c.setDeviceRights.mutate({ device: device.id, rights: [...rights] })
      if (name.trim() !== device.name) await c.renameDevice.mutate({ device: device.id, name })
    })
    if (outcome.ok) onClose()
    else setProblem(outcome.problem.message)
  }
  return (
    <Dialog title={t.edit(device.name)} onClose={onClose}>
      <form className="dialog-form" noValidate onSubmit={(e) => void submit(e)}>
        <TextField
          label={t.name}
          maxLength={64}
          data-autofocus
          value={name}
          problem={problem}
          onChange={(e) => setName(e.currentTarget.value)}
        />
        <RightsField rights={rights} onChange={setRights} />
        <div className="dialog-foot">
          <Button type="submit" tone="primary" disabled={!live || name.trim() === ''}>
            {t.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
