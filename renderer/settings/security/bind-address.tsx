import { useState } from 'react'
import { isLoopbackHost } from '../../../shared/settings.ts'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Shape } from '../../icons/shape.tsx'
import { Said } from '../../parts/said.tsx'
import { SelectField } from '../../parts/select-field.tsx'
import { useLocalKeys, useSettingView } from '../fields/setting-views.tsx'
import { Problem } from '../../parts/trouble.tsx'

const usual = ['127.0.0.1', '0.0.0.0', '::'] as const

/** Where Onward listens; anything but this machine is said plainly, with what has to be so then. */
export function BindAddress({ running }: { running: string }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const view = useSettingView('server.host')
  const keys = useLocalKeys()
  const [problem, setProblem] = useState<string | null>(null)
  const t = w.security
  if (!view) return null
  const host = String(view.value)
  const open = !isLoopbackHost(host)
  const wordOf = (address: string) =>
    address === '127.0.0.1'
      ? t.onlyHere
      : address === '0.0.0.0'
        ? t.everywhere4
        : address === '::'
          ? t.everywhere6
          : address
  const choose = async (next: string) => {
    if (!isLoopbackHost(next) && keys.length === 0) return setProblem(t.keyFirst)
    setProblem(null)
    const outcome = await actions.setSetting(view, next, t.hostSaved(next))
    if (!outcome.ok) setProblem(outcome.problem.message)
  }
  return (
    <div className="bind">
      <SelectField label={t.bind} value={host} disabled={!live} onChange={(e) => void choose(e.currentTarget.value)}>
        {[...new Set([...usual, host])].map((address) => (
          <option key={address} value={address}>
            {wordOf(address)}
          </option>
        ))}
      </SelectField>
      <Problem text={problem} />
      <p className="tool-note">
        <Shape shape={open ? 'needs' : 'done'} />
        <span>
          <Said text={open ? t.openWarning : t.closed} />
        </span>
      </p>
      {host !== running && (
        <p className="tool-note" role="status">
          <Shape shape="held" />
          <span>{t.nextStart(running)}</span>
        </p>
      )}
    </div>
  )
}
