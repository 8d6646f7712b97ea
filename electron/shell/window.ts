import { BrowserWindow } from 'electron'

export interface DashboardWindow {
  /** opens or brings it to the front, at a place inside the dashboard, e.g. `session/abc` */
  open(place?: string): void
  isOnScreen(): boolean
  readonly place: string
  /** lets the next close really close */
  release(): void
}

export interface WindowOptions {
  /** the dashboard link with the token in its fragment */
  url(place: string): string
  preload: string
  icon: string
  /** false: there is no tray to hide in, so closing minimises */
  hasTray(): boolean
  onHidden(): void
}

/** The one window. Closing hides it: agents keep going, and the tray brings it back. */
export function createDashboardWindow(options: WindowOptions): DashboardWindow {
  let window: BrowserWindow | null = null
  let released = false
  let place = 'sessions'

  const make = (): BrowserWindow => {
    const made = new BrowserWindow({
      width: 1280,
      height: 840,
      minWidth: 640,
      minHeight: 480,
      show: false,
      title: 'Onward',
      icon: options.icon,
      autoHideMenuBar: true,
      webPreferences: { preload: options.preload, contextIsolation: true, sandbox: true, nodeIntegration: false, webviewTag: false, spellcheck: false },
    })
    made.once('ready-to-show', () => made.show())
    made.on('close', (event) => {
      if (released) return
      event.preventDefault()
      if (options.hasTray()) { made.hide(); options.onHidden() } else made.minimize()
    })
    made.on('closed', () => { window = null })
    return made
  }
  return {
    get place() { return place },
    open(next) {
      const fresh = window === null
      window ??= make()
      if (fresh || (next !== undefined && next !== place)) {
        place = next ?? place
        void window.loadURL(options.url(place))
      }
      if (!fresh) {
        if (window.isMinimized()) window.restore()
        window.show()
        window.focus()
      }
    },
    isOnScreen: () => window !== null && window.isVisible() && window.isFocused(),
    release() { released = true },
  }
}
