/** Which addresses are the dashboard's, and which may leave the window. Pure. */

/** Copying by a click; reading the clipboard, camera, location and all the others are not asked for by our page. */
export const grantedPermission = 'clipboard-sanitized-write'

/** @param engine origin of the engine as it is now */
export function isDashboard(url: string, engine: string): boolean {
  if (!URL.canParse(url)) return false
  const { origin, pathname } = new URL(url)
  return origin === engine && pathname.startsWith('/dashboard/')
}

/** The link as the person's browser gets it; null where it is none that a browser should get. */
export function outsideLink(url: string, isOwnPage: (url: string) => boolean): string | null {
  if (!URL.canParse(url) || isOwnPage(url)) return null
  const { protocol, href } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? href : null
}
