import { app, session, shell, type WebContents } from 'electron'
import { messageOf } from '../engine/base/errors.ts'
import type { Log } from '../engine/base/log.ts'
import { createGestures } from './gestures.ts'
import { grantedPermission, outsideLink } from './window/own-page.ts'

/**
 * The window shows the engine's own page and nothing else: no navigation away, no new windows, no permissions, no
 * webviews; http and https links go to the person's browser where the person asked for it. Call before the first
 * window. `now`: monotonic, ms
 */
export function guardWebContents(isOwnPage: (url: string) => boolean, log: Log, now: () => number): void {
  const openOutside = (url: string, asked: () => boolean) => {
    const link = outsideLink(url, isOwnPage)
    if (link === null) return log.warn({ url: url.slice(0, 200) }, 'a link was not opened')
    if (!asked())
      return log.warn({ url: url.slice(0, 200) }, 'a link was not opened: the page asked for it, and no person')
    shell
      .openExternal(link)
      .catch((error: unknown) => log.warn({ error: messageOf(error) }, 'the browser could not be opened'))
  }
  app.on('web-contents-created', (_event, contents: WebContents) => {
    const gestures = createGestures(now)
    contents.on('input-event', (_input, { type }) => gestures.seen(type))
    contents.setWindowOpenHandler(({ url }) => {
      openOutside(url, gestures.take)
      return { action: 'deny' }
    })
    contents.on('will-navigate', (details) => {
      if (isOwnPage(details.url)) return
      details.preventDefault()
      openOutside(details.url, gestures.take)
    })
    contents.on('will-redirect', (details) => {
      if (!isOwnPage(details.url)) details.preventDefault()
    })
    contents.on('will-attach-webview', (event) => event.preventDefault())
  })
  const mayHave = (contents: WebContents | null, permission: string) =>
    contents !== null && isOwnPage(contents.getURL()) && permission === grantedPermission
  session.defaultSession.setPermissionRequestHandler((contents, permission, answer) =>
    answer(mayHave(contents, permission)),
  )
  session.defaultSession.setPermissionCheckHandler((contents, permission) => mayHave(contents, permission))
}
