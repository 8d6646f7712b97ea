import type { ShellBridge, ShellFile } from '../../shared/commands/shell-calls.ts'
import type { UpdateRequest } from '../../shared/updates.ts'

/** The page's calls to the desktop around it. In a browser there is none. */
export const shell = (): Partial<ShellBridge> | null =>
  'onwardShell' in window ? (window.onwardShell as Partial<ShellBridge>) : null

/** The system's own program opens it; false: there is no desktop here, or one that can't. */
export function shellOpen(file: ShellFile): boolean {
  const open = shell()?.open
  if (!open) return false
  void open(file)
  return true
}

export const canShellOpen = (): boolean => shell()?.open !== undefined

/** The system's own dialog for a folder; null: there is no desktop here, or one without it. */
export const shellChooser = (): ShellBridge['chooseFolder'] | null => shell()?.chooseFolder ?? null

export type ShellInstallation = Pick<ShellBridge, 'installation' | 'setLogin' | 'setCommand' | 'uninstall'>

/** How the app is installed on this machine; null: there is no desktop here, or one that does not say. */
export function shellInstallation(): ShellInstallation | null {
  const { installation, setLogin, setCommand, uninstall } = shell() ?? {}
  return installation && setLogin && setCommand && uninstall ? { installation, setLogin, setCommand, uninstall } : null
}
export const shellUpdate = (request: UpdateRequest): void => void shell()?.update?.(request)

export const shellTakeOver = (): void => void shell()?.takeOver?.()
