import { app, session, shell, type WebContents } from 'electron'
import { messageOf } from '../engine/base/errors.ts'
import type { Log } from '../engine/base/log.ts'
import { grantedPermission, outsideLink } from './own-page.ts'

/**
 * The window shows the engine's own page and nothing else: no navigation away, no new windows, no permissions, no
 * webviews; http and https links go to the person's browser. Call before the first window.
 */
export function guardWebContents(isOwnPage: (url: string) => boolean, log: Log): void {
  const openOutside = (url: string) => {
    const link = outsideLink(url, isOwnPage)
    if (link === null) return log.warn({ url: url.slice(0, 200) }, 'a link was not opened')
    shell
      .openExternal(link)
      .catch((error: unknown) => log.warn({ error: messageOf(error) }, 'the browser could not be opened'))
  }
  app.on('web-contents-created', (_event, contents: WebContents) => {
    contents.setWindowOpenHandler(({ url }) => {
      openOutside(url)
      return { action: 'deny' }
    })
    contents.on('will-navigate', (details) => {
      if (isOwnPage(details.url)) return
      details.preventDefault()
      openOutside(details.url)
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
