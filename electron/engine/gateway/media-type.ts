import type { Refusal } from './allowed-host.ts'

/**
 * null when the body is declared as JSON text in UTF-8. Only a declared JSON body is read: no form of a web page can
 * send one.
 */
export function refuseMediaType(contentType: string | undefined): Refusal | null {
  if (contentType === 'application/json') return null
  if (contentType === undefined) return unsupported('This call has no content-type. Send the body as application/json.')
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  if (type !== 'application/json' && !/^application\/[\w.+-]+\+json$/.test(type)) {
    return unsupported(`Onward reads application/json, not "${type.slice(0, 100)}".`)
  }
  const charset = parameters
    .find((p) => p.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '')
  return charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii'
    ? null
    : unsupported(`Onward reads JSON in UTF-8, not in "${charset.slice(0, 40)}".`)
}

const unsupported = (message: string): Refusal => ({ status: 415, code: 'unsupported-media-type', message })
