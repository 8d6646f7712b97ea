import type { App } from 'electron'
import { OnwardError } from '../../engine/base/errors.ts'
import { xdgAutostart } from '../../installed/login/xdg-autostart.ts'
import type { InstalledSystem, LoginItem } from '../../installed/types.ts'
import type { LoginState } from '../../../shared/commands/shell-calls.ts'

export interface LoginItemDeps {
  app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>
  system: InstalledSystem
  /** the argv that starts this app again, program first */
  argv: readonly string[]
  /** Onward's; any other home is an experiment, and no login starts it */
  home: string
  usualHome: string
}

/** Starts the app at login, hidden in the tray, by whatever the system has for it. */
export function loginItem({ app, system, argv, home, usualHome }: LoginItemDeps): LoginItem {
  if (home !== usualHome) return elsewhere(home)
  const [path = '', ...rest] = [...argv, '--hidden']
  switch (system.platform) {
    case 'darwin':
      // It takes no arguments: hiddenStart finds out that the app was opened at login.
      return checked(
        () => macState(app.getLoginItemSettings()),
        (on) => app.setLoginItemSettings({ openAtLogin: on }),
      )
    case 'win32': {
      // These words end in one line of the registry, as they stand.
      const args = rest.map((word) => (/[\s"]/.test(word) ? `"${word}"` : word))
      return checked(
        () => windowsState(app.getLoginItemSettings({ path, args })),
        (on) => app.setLoginItemSettings({ openAtLogin: on, path, args }),
      )
    }
    default:
      return xdgAutostart(system, [path, ...rest])
  }
}

/** The system opened the app at login: only the tray shows. macOS says it like this, the others by `--hidden`. */
export const openedAtLogin = (app: Pick<App, 'getLoginItemSettings'>, platform: NodeJS.Platform): boolean =>
  platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin

type Settings = ReturnType<App['getLoginItemSettings']>

function macState({ openAtLogin, status }: Settings): LoginState {
  if (status === 'requires-approval') return { kind: 'held-back', by: 'system-settings' }
  return { kind: openAtLogin ? 'on' : 'off' }
}

function windowsState({ openAtLogin, executableWillLaunchAtLogin: starts, launchItems }: Settings): LoginState {
  if (openAtLogin) return starts ? { kind: 'on' } : { kind: 'held-back', by: 'task-manager' }
  if (!starts) return { kind: 'off' }
  const { path = '', args = [] } = launchItems.find(({ enabled }) => enabled) ?? {}
  return { kind: 'other', command: [path, ...args].join(' ') }
}

/** Electron says nothing when the system did not take it. */
function checked(state: () => LoginState, set: (on: boolean) => void): LoginItem {
  return {
    read: async () => state(),
    async set(on) {
      set(on)
      const { kind } = state()
      if (on ? kind === 'off' || kind === 'other' : kind !== 'off')
        throw new OnwardError('login-refused', 'The system did not take it. Its own settings for login say why.')
    },
  }
}

function elsewhere(home: string): LoginItem {
  return {
    read: async () => ({ kind: 'impossible', why: 'other-home', path: home }),
    async set() {
      throw new OnwardError('login-other-home', `Only the usual home is started at login, not ${home}.`)
    },
  }
}
