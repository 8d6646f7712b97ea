import { app, session, shell, type WebContents } from 'electron'

/**
 * The window shows the engine's own page and nothing else: no navigation away, no new windows, no permissions, no
 * webviews; http and https links go to the person's browser (spec 07, Security).
 */
export function guardWebContents(isOwnPage: (url: string) => boolean): void {
  const openOutside = (url: string) => {
    if (/^https?:\/\//i.test(url) && !isOwnPage(url)) void shell.openExternal(url)
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
    contents.on('will-attach-webview', (event) => event.preventDefault())
  })
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer) => answer(permission === 'clipboard-sanitized-write'))
  session.defaultSession.setPermissionCheckHandler((_contents, permission) => permission === 'clipboard-sanitized-write')
}
