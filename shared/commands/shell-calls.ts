import type { UpdateRequest, UpdateState } from '../updates.ts'

/** The calls from the page to the desktop app, over the bridge of the preload script. A browser has no bridge. */
export const shellChannels = {
  chooseFolder: 'onward:choose-folder',
  open: 'onward:open',
  installation: 'onward:installation',
  setLogin: 'onward:set-login',
  setCommand: 'onward:set-command',
  uninstall: 'onward:uninstall',
  state: 'onward:state',
  /** the other way: the state changed */
  stateChanged: 'onward:state-changed',
  update: 'onward:update',
  takeOver: 'onward:take-over',
} as const

/** Files and folders by their role in the engine; the desktop gets their paths from the engine itself. */
export type ShellFile = 'config' | 'home' | 'logs' | { folderOf: string }

/** The system's current answer on starting the app at login. */
export type LoginState =
  | { kind: 'on' }
  | { kind: 'off' }
  /** asked for, and held back where only the person can allow it */
  | { kind: 'held-back'; by: 'system-settings' | 'task-manager' }
  /** login starts another Onward, or this one from where it was */
  | { kind: 'other'; command: string }
  | { kind: 'impossible'; why: 'foreign-file' | 'other-home'; path: string }

/** The state of the `onward` command in terminals. */
export type CommandState =
  | { kind: 'absent' }
  | { kind: 'installed'; path: string; /** of a login shell */ onPath: boolean }
  /** the package of the system brought it */
  | { kind: 'with-package' }
  /** another file has its place */
  | { kind: 'foreign'; path: string }
  | { kind: 'impossible'; why: 'not-installed' | 'not-moved' }

/** The state of the tray icon. GNOME shows none without an extension. */
export type TrayState = 'shown' | 'none' | 'none-on-gnome'

export interface Installation {
  tray: TrayState
  login: LoginState
  command: CommandState
}

export interface InstallationChange {
  /** the current state, whatever was asked */
  now: Installation
  /** why it was not done; null: it was */
  trouble: string | null
}

/** Facts that only the desktop app knows. */
export interface ShellState {
  update: UpdateState
  /** the engine is one of an older Onward that goes on by itself; the app could take its place */
  older: { engine: string; app: string; service: boolean } | null
}

export interface ShellBridge {
  platform: string
  /** the system's own dialog; null: the person chose none */
  chooseFolder(start: string): Promise<string | null>
  /** false: it was not opened, and the person was told why */
  open(file: ShellFile): Promise<boolean>
  installation(): Promise<Installation>
  /** the app at login, hidden in the tray */
  setLogin(on: boolean): Promise<InstallationChange>
  /** the `onward` command */
  setCommand(on: boolean): Promise<InstallationChange>
  /** shows what would be undone, asks and does it; says what happened in dialogs of the system */
  uninstall(): Promise<void>
  state(): Promise<ShellState>
  /** for as long as the page is there */
  onState(changed: (state: ShellState) => void): void
  update(request: UpdateRequest): Promise<void>
  /** false: it was not done, and the person was told why */
  takeOver(): Promise<boolean>
}
