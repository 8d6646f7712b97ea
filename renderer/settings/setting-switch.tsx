import { startTransition, useOptimistic, type ReactNode } from 'react'
import type { SwitchName } from '../../shared/control/switches.ts'
import { useApp, useLive } from '../app-context.ts'
import { Switch } from '../parts/switch.tsx'

/** One switch of the config. It stands where it was put while the engine is asked, and goes back when it refuses. */
export function SettingSwitch({ name, on, children }: { name: SwitchName; on: boolean; children: ReactNode }) {
  const { actions } = useApp()
  const live = useLive()
  const [shown, show] = useOptimistic(on)
  const change = (next: boolean) =>
    startTransition(async () => {
      show(next)
      await actions.setSwitch({ name, on: next })
    })
  return (
    <Switch checked={shown} disabled={!live} onChange={change}>
      {children}
    </Switch>
  )
}
