import type { ReactNode } from 'react'
import type { SettingView } from '../../../shared/settings.ts'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { IconButton } from '../../parts/button.tsx'

/** A setting's name, its input, its default, and the way back to that. */
export function SettingRow({
  view,
  usual,
  changed,
  wide,
  head,
  children,
}: {
  view: SettingView
  /** its default in words */
  usual: string
  changed: boolean
  wide?: boolean
  /** in the place of its name, where that is the input's own label */
  head?: ReactNode
  children?: ReactNode
}) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const t = w.setting
  const label = t.names[view.name]
  const hint = t.hints[view.name]
  return (
    <div className={wide ? 'setting wide' : 'setting'}>
      <div>
        {head ?? <span aria-hidden="true">{label}</span>}
        <span className="meta">{[hint, t.usual(usual)].filter(Boolean).join(' ')}</span>
      </div>
      {children ?? <span />}
      <span className="setting-back">
        {changed && (
          <IconButton
            icon="undo"
            small
            name={t.back(label)}
            disabled={!live}
            onClick={() => void actions.pickSetting(view, null, t.saved(label, usual))}
          />
        )}
      </span>
    </div>
  )
}
