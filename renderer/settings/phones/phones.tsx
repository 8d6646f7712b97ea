import { useState } from 'react'
import { useApp, useEngine, useLive, useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Ticking } from '../../time/ticking.tsx'
import { EditDevice } from './edit-device.tsx'
import { PairDialog } from './pair-dialog.tsx'

/** Paired devices: what each may do, when it was last here, and how it is put out. */
export function Phones() {
  const { actions } = useApp()
  const { w, f } = useWords()
  const live = useLive()
  const devices = useEngine((s) => s.devices)
  /** `pair`, or the id of the device that is edited */
  const [dialog, setDialog] = useState<string | null>(null)
  const edited = devices.find(({ id }) => id === dialog)
  const close = () => setDialog(null)
  const t = w.phone
  return (
    <section aria-label={t.title}>
      <div className="set-row">
        <div>
          <h2>{t.title}</h2>
          <p className="meta">{t.hint}</p>
        </div>
        <Button icon="plus" disabled={!live} onClick={() => setDialog('pair')}>
          {t.add}
        </Button>
      </div>
      {devices.length === 0 ? (
        <p className="meta">{t.none}</p>
      ) : (
        <ul className="devices" aria-label={t.title}>
          {devices.map(({ id, name, rights, here, seenAt }) => (
            <li key={id} className="device">
              <Icon name="key" />
              <div>
                <b>{name}</b>
                <span className="meta">
                  {f.list(rights.map((right) => t.rights[right]))} ·{' '}
                  {here ? t.here : <Ticking title={f.instant(seenAt)} text={(now) => t.seen(f.ago(now - seenAt))} />}
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
