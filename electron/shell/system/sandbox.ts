import type { App } from 'electron'

/**
 * Every page is sandboxed, whatever its window asks for. Call before the app is ready. A person who starts it with
 * `--no-sandbox`, as a container's root has to, keeps that: Electron would take the switch away when some of its
 * processes already run without.
 * @returns whether it is
 */
export function sandboxPages(app: Pick<App, 'enableSandbox' | 'commandLine'>): boolean {
  if (app.commandLine.hasSwitch('no-sandbox')) return false
  app.enableSandbox()
  return true
}
