/** The app as it is installed on this machine: its start at login, its command, and its removal. */
import { app, dialog } from 'electron'
import { homedir } from 'node:os'
import { join, resolve, win32 } from 'node:path'
import type { Clock } from '../../engine/base/clock.ts'
import { messageOf } from '../../engine/base/errors.ts'
import type { Log } from '../../engine/base/log.ts'
import { commandOf } from '../../installed/command/command.ts'
import { nodeInstalledSystem } from '../../installed/node-system.ts'
import { programGoes, type Install } from '../../installed/install.ts'
import { agentSetupsOf } from '../../installed/undo/agents.ts'
import { keychainEntriesOf } from '../../installed/undo/keychain-entries.ts'
import { planUndo } from '../../installed/undo/plan.ts'
import type { Installation, InstallationChange, LoginState, TrayState } from '../../../shared/commands/shell-calls.ts'
import type { Language } from '../../../shared/words.ts'
import { createGoodbye } from '../life/goodbye.ts'
import { createInstallation, type InstallationSeat } from './installation.ts'
import { loginItem } from './login-item.ts'
import { desktopWords } from '../words.ts'

export interface InstalledAppDeps {
  /** Onward's */
  home: string
  install: Install
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  log: Log
  language(): Language
  tray(): Promise<TrayState>
  /** the system's current answer, after any request */
  onLogin(state: LoginState): void
  onCommand(installed: boolean | null): void
  quit(): void
}

export interface InstalledApp {
  seat: InstallationSeat
  /** asks the system again; not more often than the time below */
  check(): void
  uninstall(): Promise<void>
}

/** The menu of a Linux tray does not say that it opens. */
const pollMs = 5_000

export function createInstalledApp(deps: InstalledAppDeps): InstalledApp {
  const { home, install, env, clock, log } = deps
  const usualHome = join(homedir(), '.onward')
  const system = nodeInstalledSystem(env)
  const login = loginItem({ app, system, argv: startsAgain(install), home, usualHome })
  const command = commandOf(install, system, home)
  const canHaveCommand = ['mac', 'appimage', 'windows'].includes(install.kind)
  const tell = (now: Installation) => {
    deps.onLogin(now.login)
    const { kind } = now.command
    deps.onCommand(!canHaveCommand || kind === 'impossible' || kind === 'foreign' ? null : kind === 'installed')
  }
  let checkedAt = -Infinity
  const person = { home: homedir(), env }
  return {
    seat: createInstallation({ login, command, tray: deps.tray }, tell),
    check() {
      if (clock.monotonic() - checkedAt < pollMs) return
      checkedAt = clock.monotonic()
      login
        .read()
        .then(deps.onLogin)
        .catch((error: unknown) => {
          log.warn({ error: messageOf(error) }, 'whether login starts the app could not be read')
        })
    },
    uninstall: createGoodbye({
      language: deps.language,
      plan: async () => {
        const plan = await planUndo({ system, home, usualHome, install, setups: agentSetupsOf(home, person) })
        return withOwnLogin(plan, login, (await login.read()).kind)
      },
      programGoes: () => goesInWords(install, deps.language()) ?? programGoes(install),
      home,
      async keys() {
        const found = await keychainEntriesOf(home)
        return found.kind === 'known' ? found.keys : []
      },
      async ask({ message, detail, buttons, warning }) {
        const { response } = await dialog.showMessageBox({
          type: warning ? 'warning' : 'info',
          message,
          detail,
          buttons: [...buttons],
          defaultId: buttons.length - 1,
          cancelId: buttons.length - 1,
          noLink: true,
        })
        return response
      },
      quit: deps.quit,
      log,
    }),
  }
}

/** The argv that starts this app once more. */
function startsAgain(install: Install): string[] {
  if (install.kind === 'appimage') return [install.file]
  const [, main] = process.argv
  return !app.isPackaged && main !== undefined ? [process.execPath, resolve(main)] : [process.execPath]
}

type Plan = Awaited<ReturnType<typeof planUndo>>

/** macOS lets only the app itself take its login back; here it is that app. */
function withOwnLogin(plan: Plan, login: { set(on: boolean): Promise<void> }, kind: LoginState['kind']): Plan {
  if (!plan.leaves.some((left) => left.kind === 'login')) return plan
  const leaves = plan.leaves.filter((left) => left.kind !== 'login')
  if (kind !== 'on' && kind !== 'held-back') return { ...plan, leaves }
  return { undoes: [...plan.undoes, { kind: 'login', where: 'Onward', undo: () => login.set(false) }], leaves }
}

function goesInWords(install: Install, language: Language): string | null {
  const w = desktopWords(language).uninstall
  if (install.kind === 'mac') return w.trash(install.app)
  if (install.kind === 'windows') return w.windowsApps(win32.join(install.folder, 'Uninstall Onward.exe'))
  return null
}

/** The result of installing or removing the command, for a person who chose it in a menu. */
export function commandSaid(
  { now, trouble }: InstallationChange,
  language: Language,
): { message: string; detail: string } {
  const w = desktopWords(language)
  if (trouble !== null) return { message: w.notDone(w.installCommand), detail: trouble }
  const { command } = now
  return command.kind === 'installed'
    ? { message: w.commandInstalled, detail: w.commandAt(command.path, command.onPath) }
    : { message: w.commandRemoved, detail: '' }
}
