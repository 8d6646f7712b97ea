import { useSyncExternalStore } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ShellState } from '../../shared/commands/shell-calls.ts'
import { shell } from './shell.ts'

let store: StoreApi<{ state: ShellState | null }> | null = null

/** Asked for once, then kept current by the desktop's messages. */
function shellStore(): StoreApi<{ state: ShellState | null }> {
  if (store) return store
  const made = createStore<{ state: ShellState | null }>(() => ({ state: null }))
  store = made
  const bridge = shell()
  if (bridge?.state && bridge.onState) {
    bridge.onState((state) => made.setState({ state }))
    // A state that came meanwhile is newer.
    void bridge.state().then((state) => made.setState((now) => (now.state ? now : { state })))
  }
  return made
}

/** Facts that only the desktop around the page knows; null: there is none, or it has not answered yet. */
export function useShellState(): ShellState | null {
  const from = shellStore()
  return useSyncExternalStore(from.subscribe, () => from.getState().state)
}
