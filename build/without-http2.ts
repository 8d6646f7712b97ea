/**
 * Has the program built without HTTP/2. undici loads Node's `http2` for connections that speak it, 4 ms of a start and
 * a megabyte, but nobody here offers it to a server (`allowH2`), so no connection ever does.
 */

interface Context {
  error(message: string): never
}
type Built = Record<string, { type: string; fileName: string; code?: string }>

const ofUndici = '/undici/lib/dispatcher/client-h2.js'

/** In its place: a connection on which a server chose it all the same fails with this. */
export const instead = `module.exports = function connectH2() {
  throw new Error('The server chose HTTP/2, which was not offered and which this program is built without.')
}
`

export const withoutHttp2 = {
  name: 'onward:without-http2',
  enforce: 'pre' as const,
  load: (id: string): string | null => (id.endsWith(ofUndici) ? instead : null),
  generateBundle(this: Context, _: unknown, built: Built): void {
    for (const { type, fileName, code } of Object.values(built))
      if (type === 'chunk' && code?.includes('node:http2'))
        this.error(`${fileName} loads node:http2: see build/without-http2.ts`)
  },
}
