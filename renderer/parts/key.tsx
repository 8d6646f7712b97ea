import { useApp } from '../app-context.ts'
import { keyLabel } from '../keyboard/shortcuts.ts'

/** A key cap; on macOS Ctrl is ⌘. Decorative: screen readers get the shortcut from `aria-keyshortcuts`. */
export function Key({ keys }: { keys: string }) {
  const { mac } = useApp()
  return <kbd aria-hidden="true">{keyLabel(keys, mac)}</kbd>
}
