import { readUrl } from './admit.ts'
import { refused } from './errors.ts'

/** A request to one host on the way. */
export interface Step {
  url: URL
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body: string | Buffer | null
}

const redirects = new Set([301, 302, 303, 307, 308])
/** Headers that reveal nothing about the person; all others may be keys, and stay with the first origin. */
const harmless = new Set(['accept', 'accept-language', 'user-agent'])

export const isRedirect = (status: number, location: string | undefined): location is string =>
  redirects.has(status) && location !== undefined

/**
 * The target and request of a redirect (Fetch standard, “HTTP-redirect fetch”). Headers that were dropped once don't
 * come back when a redirect leads home again.
 * @throws OnwardError `bad-url` | `address-refused`
 */
export function follow(step: Step, status: number, location: string): Step {
  const url = readUrl(location, step.url)
  if (url.hash === '') url.hash = step.url.hash
  const away = url.origin !== step.url.origin
  const headers = away
    ? Object.fromEntries(Object.entries(step.headers).filter(([name]) => harmless.has(name.toLowerCase())))
    : step.headers
  if (step.method === 'GET' || status === 303 || status === 301 || status === 302)
    return { url, method: 'GET', headers: withoutBody(headers), body: null }
  if (away) throw refused(`${step.url.host} wants what was sent to it to go to ${url.host}: that is not done.`)
  return { ...step, url, headers }
}

const withoutBody = (headers: Step['headers']): Step['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^content-/i.test(name)))
