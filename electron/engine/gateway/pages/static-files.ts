/** The built dashboard as files. What may be asked for is said by form, so no path can lead out of the folder. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { messageOf, systemCodeOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'

export interface StaticFilesDeps {
  /** absolute; holds index.html */
  folder: string
  /** null when there is no such file */
  read(path: string): Promise<Buffer | null>
  log: Log
}

const root = '/dashboard'
const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

/** The others are compressed already. */
const compressible = /^text\/|json$|svg\+xml$/
/** Below this the headers weigh more than what is won. */
const leastBytes = 1024
/**
 * The whole page compressed is a tenth of it; a build that is replaced leaves its files here until they are pushed out.
 */
const keptBytes = 8 * 1024 * 1024

/** Folder names and one file name: no dot in front, no separators but `/`, nothing percent-encoded. */
const fileForm = /^(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*\.[a-z0-9]+$/
/**
 * Every link to the dashboard has a folder name of its own, which means nothing here: a program that listened at this
 * address before the engine can't have left anything in the browser's cache under it.
 */
const folderOfLink = /^~[A-Za-z0-9_-]{1,64}\//
/** Vite puts a hash of the content into these names. */
const hashedForm = /^assets\/.+-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$/

/** Serves `/dashboard/…`; false for every other path. */
export function staticFiles(deps: StaticFilesDeps): (req: IncomingMessage, res: ServerResponse) => boolean {
  const compressed = compressor(keptBytes)
  return (req, res) => {
    const path = (req.url ?? '').split('?', 1)[0] ?? ''
    if (path !== root && !path.startsWith(`${root}/`)) return false
    if (req.method !== 'GET' && req.method !== 'HEAD')
      say(req, res, 405, 'Only GET and HEAD are answered here.', { allow: 'GET, HEAD' })
    else if (path === root) say(req, res, 308, 'The dashboard is at /dashboard/.', { location: `${root}/` })
    else {
      const name = path.slice(root.length + 1).replace(folderOfLink, '') || 'index.html'
      serve(deps, compressed, req, res, name).catch((error: unknown) => {
        deps.log.error({ file: name, error: messageOf(error) }, 'a dashboard file could not be read')
        if (res.headersSent) res.destroy()
        else say(req, res, 500, 'This file could not be read.')
      })
    }
    return true
  }
}

async function serve(
  deps: StaticFilesDeps,
  compressed: ReturnType<typeof compressor>,
  req: IncomingMessage,
  res: ServerResponse,
  name: string,
): Promise<void> {
  const mediaType = mediaTypes[extname(name)]
  const data = mediaType !== undefined && fileForm.test(name) ? await deps.read(join(deps.folder, name)) : null
  if (!data || mediaType === undefined) {
    return say(
      req,
      res,
      404,
      name === 'index.html' ? 'The dashboard is not built. Build it with: npm run build' : 'There is no such file.',
    )
  }
  const hash = createHash('sha256').update(data).digest('base64url').slice(0, 22)
  const varies = compressible.test(mediaType.replace(/;.*/, ''))
  const encoding = varies && data.length >= leastBytes ? encodingFor(req.headers['accept-encoding']) : null
  // Each form of the file has a tag of its own: caches hold both.
  const etag = encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`
  const headers = {
    ...safety(req.headers.host ?? ''),
    etag,
    ...(varies ? { vary: 'accept-encoding' } : {}),
    'cache-control': hashedForm.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
  if (req.headers['if-none-match']?.includes(etag)) {
    res.writeHead(304, headers)
    return void res.end()
  }
  const body = encoding === null ? data : await compressed(hash, data, encoding)
  res.writeHead(200, {
    ...headers,
    ...(encoding === null ? {} : { 'content-encoding': encoding }),
    'content-type': mediaType,
    'content-length': body.length,
  })
  res.end(req.method === 'HEAD' ? undefined : body)
}

/** @param host as the browser sent it, already checked: `'self'` does not cover WebSockets in every browser */
function safety(host: string): Record<string, string> {
  // A policy can't name an IPv6 address.
  const sockets = host.startsWith('[') ? '' : ` ws://${host} wss://${host}`
  const policy = [
    "default-src 'self'",
    `connect-src 'self'${sockets}`,
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
}

function say(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  const body = Buffer.from(`${text}\n`)
  res.writeHead(status, {
    ...safety(req.headers.host ?? ''),
    'content-type': 'text/plain; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    ...headers,
  })
  res.end(req.method === 'HEAD' ? undefined : body)
}

const absent = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'])

/** A file of the installed program, also inside Electron's archive; null when there is none. */
export async function readFileOrNull(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if (absent.has(systemCodeOf(error) ?? '')) return null
    throw error
  }
}

// Bodies as browsers take them over a slow link. Each is compressed once and kept in memory, up to a bound.

export type Encoding = 'br' | 'gzip'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

const compress: Readonly<Record<Encoding, (data: Buffer) => Promise<Buffer>>> = {
  // The first page waits for it: the best would be a tenth smaller and take thirty times as long.
  br: (data) =>
    brotli(data, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: data.length },
    }),
  gzip: (data) => gzipped(data, { level: 9 }),
}

/** The best of ours that is asked for; null: none is. An encoding that is not named is not sent. */
export function encodingFor(accepted: string | undefined): Encoding | null {
  const weights = new Map(
    (accepted ?? '').split(',').map((part): [string, number] => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
      const weight = parameters.find((one) => one.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2))]
    }),
  )
  const wanted = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0
  if (wanted('br') > 0 && wanted('br') >= wanted('gzip')) return 'br'
  return wanted('gzip') > 0 ? 'gzip' : null
}

/**
 * @param mostBytes of what is kept; the longest unused goes first, and what is larger is made anew each time
 * @param run only tests give another
 */
export function compressor(mostBytes: number, run = compress) {
  const kept = new Map<string, Promise<Buffer>>()
  const sizes = new Map<string, number>()
  let bytes = 0
  const forget = (key: string) => {
    kept.delete(key)
    bytes -= sizes.get(key) ?? 0
    sizes.delete(key)
  }
  /** @param hash of the data: the same data is compressed once */
  return async (hash: string, data: Buffer, encoding: Encoding): Promise<Buffer> => {
    const key = `${encoding} ${hash}`
    const known = kept.get(key)
    if (known) {
      kept.delete(key)
      kept.set(key, known)
      return known
    }
    const made = run[encoding](data)
    kept.set(key, made)
    try {
      const { length } = await made
      sizes.set(key, length)
      bytes += length
      for (const oldest of kept.keys()) {
        if (bytes <= mostBytes) break
        if (sizes.has(oldest)) forget(oldest)
      }
      return await made
    } catch (error) {
      forget(key)
      throw error
    }
  }
}
