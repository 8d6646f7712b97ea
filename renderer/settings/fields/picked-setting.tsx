import { startTransition, useOptimistic } from 'react'
import type { SettingView } from '../../../shared/settings.ts'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Segmented } from '../../parts/segmented.tsx'
import { Switch } from '../../parts/switch.tsx'
import { isChanged } from './is-changed.ts'
import { SettingRow } from './setting-row.tsx'

export function SwitchSetting({ view }: { view: SettingView }) {
  const { w } = useWords()
  const live = useLive()
  const [on, change] = usePicked(view, view.value === true)
  const t = w.setting
  const label = t.names[view.name]
  const wordOf = (on: boolean) => (on ? w.settings.on : w.settings.off)
  return (
    <SettingRow
      view={view}
      usual={wordOf(view.default === true)}
      changed={isChanged(view)}
      head={
        <Switch checked={on} disabled={!live} onChange={(next) => change(next, t.saved(label, wordOf(next)))}>
          <span>{label}</span>
        </Switch>
      }
    />
  )
}

export function ChoiceSetting({ view }: { view: SettingView }) {
  const { w } = useWords()
  const [chosen, change] = usePicked(view, String(view.value))
  const t = w.setting
  const label = t.names[view.name]
  const words: Readonly<Record<string, string>> = t.choices
  const wordOf = (choice: string) => words[choice] ?? choice
  return (
    <SettingRow view={view} usual={wordOf(String(view.default))} changed={isChanged(view)}>
      <Segmented
        label={label}
        value={chosen}
        options={view.choices.map((choice) => ({ value: choice, text: wordOf(choice) }))}
        onChange={(next) => change(next, t.saved(label, wordOf(next)))}
      />
    </SettingRow>
  )
}

/** It stands where it was put while the engine is asked, and goes back when it refuses. */
function usePicked<T extends boolean | string>(view: SettingView, value: T): [T, (next: T, said: string) => void] {
  const { actions } = useApp()
  const [shown, show] = useOptimistic(value)
  return [
    shown,
    (next, said) =>
      startTransition(async () => {
        show(next)
        await actions.pickSetting(view, next, said)
      }),
  ]
}
