import { useEffect, useState, type FormEvent } from 'react'
import { useApp, useEngine, useLive, useWords } from '../../app-context.ts'
import type { DeviceView } from '../../../shared/devices.ts'
import { permitsPhone } from '../../../shared/policy/apply.ts'
import { Icon } from '../../icons/icon.tsx'
import { Shape } from '../../icons/shape.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { WithCode } from '../../parts/said.tsx'
import { Ticking } from '../../time/ticking.tsx'
import { PairDialog, RightsField } from './pair-dialog.tsx'

/** Paired devices: what each may do, when it was last here, and how it is put out. */
export function Phones() {
  const { actions } = useApp()
  const { w, f } = useWords()
  const live = useLive()
  const devices = useEngine((s) => s.devices)
  const allowed = useEngine((s) => permitsPhone(s.status?.policy?.policies))
  const [untrusted, setUntrusted] = useState(false)
  /** `pair`, or the id of the device that is edited */
  const [dialog, setDialog] = useState<string | null>(null)
  const edited = devices.find(({ id }) => id === dialog)
  const close = () => setDialog(null)
  const t = w.phone
  useEffect(() => {
    if (!live) return undefined
    let over = false
    void actions
      .ask((c) => c.phoneWays.query())
      .then((outcome) => {
        if (!over && outcome.ok) setUntrusted(Boolean(outcome.value.listening?.fingerprint))
      })
    return () => {
      over = true
    }
  }, [actions, live, dialog])
  return (
    <section aria-label={t.title}>
      <div className="set-row">
        <div>
          <h2>{t.title}</h2>
          <p className="meta">{t.hint}</p>
        </div>
        <Button icon="plus" disabled={!live || !allowed} onClick={() => setDialog('pair')}>
          {t.add}
        </Button>
      </div>
      {!allowed && (
        <p className="tool-note">
          <Shape shape="paused" />
          <span>{w.policy.phonesOff}</span>
        </p>
      )}
      {untrusted && (
        <p className="meta">
          <WithCode text={t.cannotPush.untrusted} />
        </p>
      )}
      {devices.length === 0 ? (
        <p className="meta">{t.none}</p>
      ) : (
        <ul className="devices" aria-label={t.title}>
          {devices.map(({ id, name, rights, here, seenAt, push }) => (
            <li key={id} className="device">
              <Icon name="key" />
              <div>
                <b>{name}</b>
                <span className="meta">
                  {f.list(rights.map((right) => t.rights[right]))} ·{' '}
                  {here ? t.here : <Ticking title={f.instant(seenAt)} text={(now) => t.seen(f.ago(now - seenAt))} />}
                  {push && ` · ${t.pushed}`}
                </span>
              </div>
              <IconButton icon="edit" small name={t.edit(name)} disabled={!live} onClick={() => setDialog(id)} />
              <IconButton
                icon="x"
                small
                name={t.revoke(name)}
                disabled={!live}
                onClick={() => void actions.perform('revokeDevice', id, (gone) => t.revoked(gone.name))}
              />
            </li>
          ))}
        </ul>
      )}
      {dialog === 'pair' && <PairDialog onClose={close} />}
      {edited && <EditDevice device={edited} onClose={close} />}
    </section>
  )
}

/** Its name and what it may do. */
function EditDevice({ device, onClose }: { device: DeviceView; onClose: () => void }) {
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
