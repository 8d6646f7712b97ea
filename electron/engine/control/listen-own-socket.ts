/** Where CLI, wrappers, terminal hosts and the desktop reach the engine; their side is base/network/own-socket.ts. */
import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { Disposable } from '../base/disposable.ts'
import { messageOf, OnwardError, systemCodeOf } from '../base/errors.ts'
import type { Random } from '../base/ids.ts'
import type { Log } from '../base/log.ts'

export interface OwnSocketOptions {
  /** absolute; its lock is held, so that no other engine listens for it */
  home: string
  env: Readonly<Record<string, string | undefined>>
  random: Random
  log: Log
  /** false: not for us */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
  platform?: NodeJS.Platform
  /** for homes whose path is too long or whose disk has no sockets */
  temporary?: string
}

const file = 'engine.sock'
/** Bytes of a socket's path, its end not counted: 108 on Linux, 104 on macOS and the BSDs (unix(7), unix(4)). */
const longest = (platform: NodeJS.Platform): number => (platform === 'linux' ? 107 : 103)

/**
 * Listens in the home; where that can't be, in a folder of its own elsewhere. The engine's note says where.
 * @throws OnwardError `socket-failed`
 */
export async function listenOwnSocket(options: OwnSocketOptions): Promise<Disposable & { path: string }> {
  const platform = options.platform ?? process.platform
  if (platform === 'win32') return listen(options, pipeOf(options))
  const problems: string[] = []
  for (const makeFolder of places(options)) {
    try {
      const folder = await makeFolder()
      const path = join(folder, file)
      if (Buffer.byteLength(path) > longest(platform)) throw new Error(`${path} is too long for a socket`)
      // left by an engine that was killed: the home's lock shows that it is gone
      await rm(path, { force: true })
      return await listen(options, path)
    } catch (error) {
      problems.push(messageOf(error))
    }
  }
  throw new OnwardError(
    'socket-failed',
    `Onward’s own socket can’t be opened, without which no terminal reaches the engine: ${problems.join('; ')}.`,
  )
}

/** Tried in this order. */
function places({ home, env, temporary }: OwnSocketOptions): (() => Promise<string>)[] {
  const name = `onward-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`
  const runtime = env.XDG_RUNTIME_DIR
  const elsewhere = temporary ?? tmpdir()
  return [
    () => ownFolder(join(home, 'run')),
    ...(runtime === undefined || runtime === '' ? [] : [() => ownFolder(join(runtime, name))]),
    () => ownFolder(join(elsewhere, `${name}-${process.getuid?.() ?? 0}`)),
    // if another user holds that name
    () => mkdtemp(join(elsewhere, 'onward-')),
  ]
}

/** Makes a folder for its owner alone, or uses such a one. @throws if it belongs to another user or is a link */
async function ownFolder(path: string): Promise<string> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error
  }
  const found = await lstat(path)
  if (!found.isDirectory() || found.uid !== process.getuid?.()) throw new Error(`${path} is not a folder of yours`)
  if ((found.mode & 0o077) !== 0) await chmod(path, 0o700)
  return path
}

/** Never the same name twice: others could listen at a used name before it is used again. */
const pipeOf = ({ random }: OwnSocketOptions): string => `\\\\.\\pipe\\onward-${random.token(16)}`

function listen({ log, upgrade }: OwnSocketOptions, path: string): Promise<Disposable & { path: string }> {
  const server = createServer((_request, response) => response.writeHead(404).end())
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', (error) => log.debug({ error: messageOf(error) }, 'a connection of our own broke'))
    if (!upgrade(request, socket, head)) socket.destroy()
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ path, backlog: 1024 }, () => {
      server.off('error', reject)
      server.on('error', (error) => log.error({ error: messageOf(error) }, 'the own socket had a problem'))
      resolve({
        path,
        dispose() {
          server.close()
          server.closeAllConnections()
        },
      })
    })
  })
}
