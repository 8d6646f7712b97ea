/** What the Electron double shows of the desktop (e2e/support/electron-double). */
import type { ElectronApplication } from 'playwright'

export interface MenuEntry {
  label: string
  enabled: boolean
  type: string
  /** of a switch */
  checked?: boolean
}
export interface TrayState {
  icon: string
  tooltip: string
  menu: readonly MenuEntry[]
}
export interface NotificationState {
  title: string
  body: string
  open: boolean
  actions: readonly string[]
}
export interface WindowState {
  visible: boolean
  focused: boolean
  minimized: boolean
  maximized: boolean
  bounds: { x: number; y: number; width: number; height: number }
  url: string
}
export interface DoubleState {
  windows: readonly WindowState[]
  notifications: readonly NotificationState[]
  dialogs: readonly { message: string; detail: string; buttons: readonly string[] }[]
  opened: readonly string[]
  clipboard: string
  appMenu: readonly string[]
}

interface AppMenuEntry {
  label?: string
  role?: string
  submenu?: { items: { label?: string; click?: () => void }[] }
}

/** The double's own additions to Electron's module, as far as specs use them. */
interface Double {
  Tray: {
    all: {
      image: { file: string }
      tooltip: string
      menu: {
        items: { label?: string; enabled: boolean; type: string; checked?: boolean; click?: () => void }[]
        emit(event: 'menu-will-show'): void
      } | null
    }[]
  }
  Notification: {
    shown: {
      title: string
      body: string
      open: boolean
      actions: { text: string }[]
      emit(event: string, ...args: unknown[]): void
    }[]
  }
  Menu: { application: { items: AppMenuEntry[] } | null }
  BrowserWindow: {
    getAllWindows(): {
      isVisible(): boolean
      isFocused(): boolean
      isMinimized(): boolean
      isMaximized(): boolean
      getNormalBounds(): WindowState['bounds']
      close(): void
      blur(): void
      setBounds(bounds: object): void
      webContents: {
        getURL(): string
        cdp(method: string): Promise<unknown>
        executeJavaScript(code: string): Promise<unknown>
      }
      options: { webPreferences: Record<string, unknown> }
    }[]
  }
  dialog: {
    asked: { message: string; detail?: string; buttons?: string[] }[]
    answer: number | null
    folder: string | null
    folderAsked: { defaultPath?: string }[]
  }
  shell: { opened: string[]; files: string[]; revealed: string[] }
  app: { sandboxed: boolean; relaunched: object[] }
  clipboard: { text: string }
  powerMonitor: { emit(event: 'resume' | 'unlock-screen' | 'shutdown'): boolean }
  powerSaveBlocker: { held: ReadonlyMap<number, string> }
  session: {
    defaultSession: {
      permissionCheck(contents: unknown, permission: string): boolean
      permissionRequest(contents: unknown, permission: string, answer: (yes: boolean) => void): void
    }
  }
}

/** Playwright types the module as Electron's; under the double it is more than that. */
type Evaluate = <R, A>(run: (electron: Double, arg: A) => R | Promise<R>, arg: A) => Promise<R>
export const evaluateIn = (app: ElectronApplication): Evaluate => app.evaluate.bind(app) as unknown as Evaluate

export function electronOf(app: ElectronApplication) {
  const evaluate = evaluateIn(app)
  const tray = (): Promise<TrayState> =>
    evaluate(({ Tray }) => {
      const [shown] = Tray.all
      return {
        icon: shown?.image.file.replace(/^.*[\\/]tray-/, '') ?? '',
        tooltip: shown?.tooltip ?? '',
        menu:
          shown?.menu?.items.map(({ label = '', enabled, type, checked }) => ({
            label,
            enabled,
            type,
            ...(checked === undefined ? {} : { checked }),
          })) ?? [],
      }
    }, null)
  const state = (): Promise<DoubleState> =>
    evaluate(
      ({ BrowserWindow, Notification, Menu, dialog, shell, clipboard }) => ({
        windows: BrowserWindow.getAllWindows().map((w) => ({
          visible: w.isVisible(),
          focused: w.isFocused(),
          minimized: w.isMinimized(),
          maximized: w.isMaximized(),
          bounds: w.getNormalBounds(),
          url: w.webContents.getURL(),
        })),
        notifications: Notification.shown.map((n) => ({
          title: n.title,
          body: n.body,
          open: n.open,
          actions: (n.actions ?? []).map((a) => a.text),
        })),
        dialogs: dialog.asked.map((d) => ({ message: d.message, detail: d.detail ?? '', buttons: d.buttons ?? [] })),
        opened: shell.opened,
        clipboard: clipboard.text,
        appMenu: (Menu.application?.items ?? []).map((item) => item.label ?? item.role ?? ''),
      }),
      null,
    )
  return {
    tray,
    state,
    /** the last thing a start sets */
    isUp: (): Promise<boolean> => evaluate(({ Menu }) => Menu.application !== null, null),
    async choose(label: string | RegExp) {
      const wanted = typeof label === 'string' ? { text: label } : { source: label.source, flags: label.flags }
      // Found and clicked in one go: the menu is replaced whenever something changed, and its entries move.
      const others = await evaluate(
        ({ Tray }, { text, source = '', flags }) => {
          const items = Tray.all[0]?.menu?.items ?? []
          const pattern = new RegExp(source, flags)
          const found = items.find(
            (item) =>
              item.enabled !== false && (text === undefined ? pattern.test(item.label ?? '') : item.label === text),
          )
          found?.click?.()
          return found ? null : items.map((item) => item.label ?? '')
        },
        wanted as { text?: string; source?: string; flags?: string },
      )
      if (others) throw new Error(`the tray has no ${String(label)}: ${others.join(' | ')}`)
    },
    /** an entry of the first menu of the app; false: there is none of that name */
    chooseInApp: (label: string): Promise<boolean> =>
      evaluate(({ Menu }, wanted) => {
        const found = Menu.application?.items[0]?.submenu?.items.find((entry) => entry.label === wanted)
        found?.click?.()
        return found !== undefined
      }, label),
    /** a hand on the notification that was shown at this place: on one of its buttons, or anywhere else on it */
    async touch(at: number, button: string | null = null) {
      const { actions = [] } = (await state()).notifications.at(at) ?? {}
      if (button !== null && !actions.includes(button))
        throw new Error(`notification ${at} has no ${button}: ${actions.join(' | ')}`)
      await evaluate(
        ({ Notification }, [where, index]) => {
          const shown = Notification.shown.at(where)
          if (!shown) throw new Error(`there is no notification ${where}`)
          if (index === null) shown.emit('click', {})
          else shown.emit('action', { actionIndex: index }, index, -1)
        },
        [at, button === null ? null : actions.indexOf(button)] as const,
      )
    },
    answer: (button: number | null): Promise<void> =>
      evaluate(({ dialog }, to) => {
        dialog.answer = to
      }, button),
  }
}
