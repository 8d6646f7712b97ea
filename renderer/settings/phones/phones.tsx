import { useEffect, useState } from 'react'
import type { DeviceView } from '../../../shared/devices.ts'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { WithCode } from '../../parts/with-code.tsx'
import { PairDialog } from './pair-dialog.tsx'
import { RenameDevice } from './rename-device.tsx'

/** Paired devices: what each may do, when it was last here, and how it is put out. */
export function Phones() {
  const { actions } = useApp()
  const { w, f } = useWords()
  const live = useLive()
  const [devices, setDevices] = useState<readonly DeviceView[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [untrusted, setUntrusted] = useState(false)
  const [looked, setLooked] = useState(0)
  const [dialog, setDialog] = useState<'pair' | DeviceView | null>(null)
  const t = w.phone
  useEffect(() => {
    if (!live) return undefined
    let over = false
    void actions
      .ask((c) => c.devices.query())
      .then((outcome) => {
        if (over) return
        if (outcome.ok) setDevices(outcome.value)
        setProblem(outcome.ok ? null : outcome.problem.message)
      })
    void actions
      .ask((c) => c.phoneWays.query())
      .then((outcome) => {
        if (!over && outcome.ok) setUntrusted(Boolean(outcome.value.listening?.fingerprint))
      })
    return () => {
      over = true
    }
  }, [actions, live, looked])
  const reload = () => setLooked((n) => n + 1)
  const close = () => {
    setDialog(null)
    reload()
  }
  return (
    <section aria-label={t.title}>
      <div className="set-row">
        <div>
          <h2>{t.title}</h2>
          <p className="meta">{t.hint}</p>
        </div>
        <Button icon="plus" disabled={!live || devices === null} onClick={() => setDialog('pair')}>
          {t.add}
        </Button>
      </div>
      {problem !== null && (
        <p className="meta failed" role="alert">
          {problem}
        </p>
      )}
      {untrusted && (
        <p className="meta">
          <WithCode text={t.cannotPush.untrusted} />
        </p>
      )}
      {devices?.length === 0 && <p className="meta">{t.none}</p>}
      {devices !== null && devices.length > 0 && (
        <ul className="devices" aria-label={t.title}>
          {devices.map((device) => (
            <li key={device.id} className="device">
              <Icon name="key" />
              <div>
                <b>{device.name}</b>
                <span className="meta">
                  {f.list(device.rights.map((right) => t.rights[right]))} ·{' '}
                  {device.here ? t.here : t.seen(f.instant(device.seenAt))}
                  {device.push && ` · ${t.pushed}`}
                </span>
              </div>
              <IconButton
                icon="edit"
                small
                name={t.rename(device.name)}
                disabled={!live}
                onClick={() => setDialog(device)}
              />
              <IconButton
                icon="x"
                small
                name={t.revoke(device.name)}
                disabled={!live}
                onClick={() =>
                  void actions.perform('revokeDevice', device.id, ({ name }) => t.revoked(name)).then(reload)
                }
              />
            </li>
          ))}
        </ul>
      )}
      {dialog === 'pair' && <PairDialog onClose={close} />}
      {dialog !== null && dialog !== 'pair' && <RenameDevice device={dialog} onClose={close} />}
    </section>
  )
}
