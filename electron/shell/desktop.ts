import { BrowserWindow, Notification, app, clipboard, dialog } from 'electron'
import { join } from 'node:path'
import { messageOf } from '../engine/base/errors.ts'
import type { Log } from '../engine/base/log.ts'
import { placeOfDeepLink } from './deep-link.ts'
import { followPicture, type EngineLink, type Picture } from './engine-link.ts'
import { guardWebContents } from './guards.ts'
import { quitWords } from './quit-words.ts'
import { createTray } from './tray.ts'
import type { TrayAction } from './tray-menu.ts'
import { trayView } from './tray-view.ts'
import { createDashboardWindow, type DashboardWindow } from './window.ts'

export interface DesktopOptions {
  link: EngineLink
  log: Log
  iconFolder: string
  preload: string
  now(): number
  /** false when started at login: only the tray shows */
  openWindow: boolean
  argv: readonly string[]
}

/** Tray, window and lifecycle around one engine. Call after `app.whenReady()`. */
export function startDesktop(options: DesktopOptions): { window: DashboardWindow } {
  const { link, log } = options
  let picture: Picture = { status: null, sessions: new Map(), agents: [] }
  let toldHidden = false
  const pageUrl = new URL(link.dashboardUrl)
  guardWebContents((url) => url.startsWith(`${pageUrl.origin}/dashboard/`))

  const window = createDashboardWindow({
    url: (place) => placeUrl(link.dashboardUrl, place),
    preload: options.preload,
    icon: join(options.iconFolder, 'app-256.png'),
    hasTray: () => tray !== null,
    onHidden: () => {
      if (toldHidden || !Notification.isSupported()) return
      toldHidden = true
      const words = quitWords(picture.status?.language ?? 'en')
      new Notification({ title: words.hiddenTitle, body: words.hiddenBody }).show()
    },
  })

  const quit = async () => {
    const words = quitWords(picture.status?.language ?? 'en')
    if (link.owned && picture.agents.length > 0) {
      const { response } = await dialog.showMessageBox({
        type: 'warning', buttons: [words.stay, words.quit], defaultId: 0, cancelId: 0,
        message: words.needEngine(picture.agents.length), detail: words.keepRunning(picture.agents.join(', ')),
      })
      if (response === 0) return
    }
    window.release()
    app.quit()
  }
  const act = (action: TrayAction) => {
    const told = (promise: Promise<unknown>) => promise.catch((error: unknown) => log.error({ error: messageOf(error), action: action.kind }, 'tray action failed'))
    switch (action.kind) {
      case 'open': return window.open(action.place)
      case 'pause-all': return void told(link.pause(null))
      case 'resume-all': return void told(link.resume(null))
      case 'copy-base-url': return clipboard.writeText(pageUrl.origin)
      case 'quit': return void told(quit())
    }
  }
  const tray = createTray({ iconFolder: options.iconFolder, act, onClick: () => window.open(), onMissing: (error) => log.warn({ error: messageOf(error) }, 'no tray on this desktop') })

  const following = new AbortController()
  const draw = () => tray?.show(trayView(picture.status, Array.from(picture.sessions.values()), options.now()))
  draw()
  void followPicture(link, following.signal, (next) => { picture = next; draw() })
    .catch((error: unknown) => log.error({ error: messageOf(error) }, 'lost the engine'))
    .finally(() => { if (!following.signal.aborted) { picture = { ...picture, status: null }; draw() } })

  app.on('second-instance', (_event, argv) => window.open(placeOfDeepLink(argv) ?? undefined))
  app.on('open-url', (_event, url) => window.open(placeOfDeepLink([url]) ?? undefined))
  app.on('activate', () => window.open())
  // The window hides instead of closing; without this listener the last close would end the app.
  app.on('window-all-closed', () => undefined)
  let ended = false
  app.on('before-quit', (event) => {
    window.release()
    if (ended) return
    event.preventDefault()
    following.abort()
    tray?.dispose()
    link.dispose()
      .catch((error: unknown) => log.error({ error: messageOf(error) }, 'the engine did not end cleanly'))
      .finally(() => { ended = true; for (const open of BrowserWindow.getAllWindows()) open.destroy(); app.quit() })
  })
  if (options.openWindow) window.open(placeOfDeepLink(options.argv) ?? undefined)
  return { window }
}

/** The token stays in the fragment; the place inside the dashboard stands beside it. */
function placeUrl(dashboardUrl: string, place: string): string {
  return place === 'sessions' ? dashboardUrl : `${dashboardUrl}&place=${encodeURIComponent(place)}`
}
