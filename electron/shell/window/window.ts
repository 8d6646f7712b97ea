import { BrowserWindow, app, nativeTheme, screen } from 'electron'
import { messageOf, systemCodeOf } from '../../engine/base/errors.ts'
import { shellChannels, type ShellState } from '../../../shared/commands/shell-calls.ts'
import { samePageAt, sessionAt, type Place } from './place.ts'
import { placeWindow, smallestSize, type WindowState } from './window-state.ts'

export interface DashboardWindow {
  /** makes it or brings it to the front; null: where the person left it */
  open(place: Place | null): void
  /** the session before the person's eyes: the window is in front and shows it */
  sessionOnScreen(): string | null
  /** the engine is another one now, or ended the window's access: its page is loaded anew */
  accessChanged(): void
  /** sends the page the facts that only the desktop knows */
  shellChanged(state: ShellState): void
  /** closes it for good */
  destroy(): void
}

export interface WindowOptions {
  /** with a link's token in its fragment, good for one window */
  url(place: Place): Promise<string>
  isOwnPage(url: string): boolean
  preload: string
  icon: string
  saved(): WindowState | null
  save(state: WindowState): void
  /** false: nothing would bring a hidden window back, so closing minimises */
  isTrayShown(): Promise<boolean>
  onHidden(): void
  /** closing left it in the task bar: nothing else would lead back to it */
  onKept(): void
  onSessionSeen(sessionId: string): void
  /** the page's process ended by itself */
  onCrashed(why: string): void
  /** the page could not be loaded or broke */
  onTrouble(why: string): void
  now(): number
}

/** As the page's own background (tokens.css), so that a window never flashes. */
const background = { light: '#ffffff', dark: '#1c1e22' } as const
/** Chromium's code for a load that another one replaced. */
const replacedByAnother = 'ERR_ABORTED'
/** A page that breaks again so soon would break each time it is loaded; the next open tries again. */
const reloadOnceInMs = 30_000

/** The one window. Closing hides it: agents keep going, and the tray brings it back. */
export function createDashboardWindow(options: WindowOptions): DashboardWindow {
  let window: BrowserWindow | null = null
  /** the page came up and has not broken since */
  let loaded = false
  let brokeAt = -Infinity
  /** A window of now would keep the app from quitting. */
  let over = false

  /** A page that is up only goes to another place; one that comes up gets a new link. */
  const load = (made: BrowserWindow, place: Place) => {
    const current = made.webContents.getURL()
    const url = loaded && options.isOwnPage(current) ? Promise.resolve(samePageAt(current, place)) : options.url(place)
    const shown = url.then((at) => (made.isDestroyed() ? undefined : made.loadURL(at)))
    loading(made, shown)
  }
  const loading = (made: BrowserWindow, shown: Promise<void>) => {
    shown.then(
      () => {
        loaded = true
      },
      (error: unknown) => {
        if (systemCodeOf(error) === replacedByAnother || made.isDestroyed()) return
        loaded = false
        options.onTrouble(messageOf(error))
      },
    )
  }
  /** as a new page with a link of its own: nothing of the page before is kept */
  const reload = (made: BrowserWindow) => {
    loaded = false
    const session = sessionAt(made.webContents.getURL())
    load(made, session === null ? { kind: 'sessions' } : { kind: 'session', id: session })
  }
  const hide = (made: BrowserWindow) => {
    made.hide()
    // With no window there is nothing the dock could show; the tray stays.
    app.dock?.hide()
    options.onHidden()
  }
  const close = async (made: BrowserWindow) => {
    const shown = await options.isTrayShown()
    if (made.isDestroyed()) return
    if (!shown) {
      made.minimize()
      return options.onKept()
    }
    if (!made.isFullScreen()) return hide(made)
    // macOS keeps a black screen for a window that is hidden while it fills one.
    made.once('leave-full-screen', () => hide(made))
    made.setFullScreen(false)
  }
  const seen = (made: BrowserWindow) => {
    const session = made.isFocused() ? sessionAt(made.webContents.getURL()) : null
    if (session !== null) options.onSessionSeen(session)
  }
  const make = (): BrowserWindow => {
    const saved = options.saved()
    const made = newWindow(options, saved)
    if (saved?.maximized) made.once('show', () => made.maximize())
    made.once('ready-to-show', () => show(made))
    made.on('close', (event) => {
      options.save({ ...made.getNormalBounds(), maximized: made.isMaximized() })
      event.preventDefault()
      close(made).catch((error: unknown) => options.onTrouble(messageOf(error)))
    })
    made.on('focus', () => seen(made))
    made.webContents.on('did-navigate-in-page', () => seen(made))
    made.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
      if (reason === 'clean-exit') return
      options.onCrashed(`Its process has gone: ${reason}, ${exitCode}.`)
      loaded = false
      const again = options.now() - brokeAt > reloadOnceInMs
      brokeAt = options.now()
      if (again) reload(made)
      else options.onTrouble(reason)
    })
    made.on('closed', () => {
      window = null
      loaded = false
    })
    return made
  }
  const show = (made: BrowserWindow) => {
    void app.dock?.show()
    if (made.isMinimized()) made.restore()
    made.show()
    made.focus()
  }
  return {
    open(place) {
      if (over) return
      if (!window) {
        window = make()
        return load(window, place ?? { kind: 'sessions' })
      }
      const already = place?.kind === 'session' && sessionAt(window.webContents.getURL()) === place.id
      if (!loaded || (place && !already)) load(window, place ?? { kind: 'sessions' })
      show(window)
    },
    sessionOnScreen: () =>
      window?.isVisible() && window.isFocused() && !window.isMinimized()
        ? sessionAt(window.webContents.getURL())
        : null,
    accessChanged() {
      // Also at the same address: the page's credentials belong to the engine before.
      if (window) reload(window)
    },
    shellChanged(state) {
      // One that is not up asks for it when it is.
      if (window && loaded) window.webContents.send(shellChannels.stateChanged, state)
    },
    destroy() {
      over = true
      if (!window) return
      options.save({ ...window.getNormalBounds(), maximized: window.isMaximized() })
      window.destroy()
    },
  }
}

const newWindow = ({ icon, preload }: WindowOptions, saved: WindowState | null): BrowserWindow =>
  new BrowserWindow({
    ...placeWindow(
      saved,
      [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map((display) => display.workArea),
    ),
    minWidth: smallestSize.width,
    minHeight: smallestSize.height,
    show: false,
    title: 'Onward',
    icon,
    backgroundColor: nativeTheme.shouldUseDarkColors ? background.dark : background.light,
    autoHideMenuBar: true,
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  })
