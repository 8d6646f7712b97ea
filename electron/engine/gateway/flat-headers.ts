import type { IncomingMessage } from 'node:http'

/** Lower-case names with one text each. node:http has joined what came more than once; only set-cookie is a list. */
export function flatHeaders(req: IncomingMessage): Record<string, string> {
  const cookies = req.headers['set-cookie']
  // The type allows lists and undefined for every name; node:http makes neither for a request, set-cookie apart.
  const headers = req.headers as Record<string, string>
  if (cookies) headers['set-cookie'] = cookies.join(', ')
  return headers
}
