import { STATUS_CODES } from 'node:http'

/** A whole JSON answer as bytes, for sockets that node:http has let go of. The connection ends with it. */
export function rawAnswer(status: number, body: Buffer, headers: Record<string, string> = {}): Buffer {
  const all = {
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...headers,
  }
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(all).map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n')
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body])
}
