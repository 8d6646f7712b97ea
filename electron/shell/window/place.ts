/**
 * Places of the dashboard that the desktop can open, and how the page's address says them. The page reads
 * `#token=…&place=session%2Fabc` once, drops the token and goes on with `#/session/abc/queue`. Pure.
 */
export type Place =
  | { kind: 'sessions' }
  | { kind: 'alarms' }
  | { kind: 'settings' }
  | { kind: 'providers' }
  | { kind: 'new-terminal' }
  /** `machine`: another one, whose session it is */
  | { kind: 'session'; id: string; machine?: string }

/** The token stays in the fragment, the place stands beside it. */
export const linkTo = (dashboardLink: string, place: Place): string => `${dashboardLink}&${parameter(place)}`

/** The same page at another place, without a token: it goes on with the credentials it has already. */
export const samePageAt = (url: string, place: Place): string => `${url.replace(/#.*$/s, '')}#${parameter(place)}`

function parameter(place: Place): string {
  const there = place.kind === 'session' && place.machine ? `on/${encodeURIComponent(place.machine)}/` : ''
  const path =
    place.kind === 'session'
      ? `${there}session/${encodeURIComponent(place.id.replace(/\p{Surrogate}/gu, '\uFFFD'))}`
      : place.kind
  return `place=${encodeURIComponent(path)}`
}

/** The session an address of the dashboard shows, whatever its tab; null where it shows none. */
export function sessionAt(url: string): string | null {
  if (!URL.canParse(url)) return null
  const fragment = new URL(url).hash.slice(1)
  const path = fragment.startsWith('/') ? fragment : (new URLSearchParams(fragment).get('place') ?? '')
  const [kind, id = ''] = path.replace(/^\/+/, '').split('/')
  return kind === 'session' && id !== '' ? decoded(id) : null
}

/** An address typed by hand may hold a bare `%`. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return part
    throw error
  }
}
