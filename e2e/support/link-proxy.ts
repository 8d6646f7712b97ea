import { connect, createServer, type Socket } from 'node:net'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EngineProcess } from './engine-process.ts'

/** A message on the link between an engine and a terminal host (electron/engine/terminals/host/messages.ts). */
export interface LinkMessage {
  from: 'engine' | 'host'
  type: string
}
export type Verdict = 'pass' | 'cut-before' | 'cut-after'

/** Stands between a PTY wrapper and the engine, reads along, and cuts the connection wherever a test wants. */
export interface LinkProxy {
  /** a home whose note of the engine leads here: for the launcher's `--home` */
  readonly home: string
  /** the engine's own: what agents ask their models for does not go through here */
  readonly port: number
  readonly connected: boolean
  /** connections of hosts so far */
  readonly connections: number
  /** asked about every message before it is passed on */
  judge: (message: LinkMessage) => Verdict
  cut(): void
  /** while true, nobody gets through */
  blocked: boolean
  dispose(): Promise<void>
}

export async function startLinkProxy(engine: EngineProcess): Promise<LinkProxy> {
  const hosts = new Set<() => void>()
  const sockets = new Set<Socket>()
  let connections = 0
  const note = JSON.parse(readFileSync(join(engine.home, 'engine.json'), 'utf8')) as { socket: string }
  const server = createServer((client) => {
    const upstream = connect(note.socket)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    }
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end)
    if (proxy.blocked) return end()

    let isHost: boolean | null = null
    const read = { host: frames('host'), engine: frames('engine') }
    const pass = (from: 'host' | 'engine', to: Socket) => (bytes: Buffer) => {
      if (isHost === null) {
        isHost = bytes.toString('latin1').startsWith('GET /hosts')
        if (isHost) {
          connections++
          hosts.add(end)
          client.on('close', () => hosts.delete(end))
        }
      }
      if (!isHost) return void to.write(bytes)
      for (const { raw, message } of read[from](bytes)) {
        const verdict = message ? proxy.judge(message) : 'pass'
        if (verdict === 'cut-before') return end()
        // what was passed on has to arrive before the connection goes
        if (verdict === 'cut-after')
          return void to.write(raw, () => {
            to.end()
            end()
          })
        to.write(raw)
      }
    }
    client.on('data', pass('host', upstream))
    upstream.on('data', pass('engine', client))
  })
  const home = mkdtempSync(join(tmpdir(), 'onward-home-'))
  const socket = join(home, 'run', 'engine.sock')
  mkdirSync(join(home, 'run'), { mode: 0o700 })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  copyFileSync(join(engine.home, 'control-token'), join(home, 'control-token'))
  writeFileSync(join(home, 'engine.json'), JSON.stringify({ ...note, socket }))
  const proxy: LinkProxy = {
    home,
    port: engine.port,
    get connected() {
      return hosts.size > 0
    },
    get connections() {
      return connections
    },
    judge: () => 'pass',
    cut: () => {
      for (const end of hosts) end()
    },
    blocked: false,
    async dispose() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      rmSync(home, { recursive: true, force: true })
    },
  }
  return proxy
}

/** Divides one direction of a WebSocket connection into its head and its frames (RFC 6455, 5.2). */
function frames(from: 'host' | 'engine'): (bytes: Buffer) => { raw: Buffer; message: LinkMessage | null }[] {
  let rest = Buffer.alloc(0)
  let head = true
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    const found: { raw: Buffer; message: LinkMessage | null }[] = []
    if (head) {
      const end = rest.indexOf('\r\n\r\n')
      if (end < 0) return found
      head = false
      found.push({ raw: rest.subarray(0, end + 4), message: null })
      rest = rest.subarray(end + 4)
    }
    for (;;) {
      const size = frameSize(rest)
      if (size === null || rest.length < size.start + size.length) return found
      const raw = rest.subarray(0, size.start + size.length)
      rest = rest.subarray(raw.length)
      found.push({ raw, message: (raw.readUInt8(0) & 0x0f) === 1 ? messageIn(raw, size, from) : null })
    }
  }
}

interface Size {
  start: number
  length: number
  masked: boolean
}

function frameSize(bytes: Buffer): Size | null {
  if (bytes.length < 2) return null
  const masked = (bytes.readUInt8(1) & 0x80) !== 0
  const short = bytes.readUInt8(1) & 0x7f
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0
  const start = 2 + extra + (masked ? 4 : 0)
  if (bytes.length < start) return null
  return {
    start,
    masked,
    length: extra === 0 ? short : extra === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2)),
  }
}

function messageIn(raw: Buffer, { start, masked }: Size, from: 'host' | 'engine'): LinkMessage {
  const payload = Buffer.from(raw.subarray(start))
  if (masked)
    for (let i = 0; i < payload.length; i++)
      payload.writeUInt8(payload.readUInt8(i) ^ raw.readUInt8(start - 4 + (i % 4)), i)
  const { type } = JSON.parse(payload.toString('utf8')) as { type: string }
  return { from, type }
}
