// The load side: keep-alive connections on raw sockets, one request at a time on each.
import net from 'node:net'
import { http1Reader } from './http1.mjs'

export const nowUs = () => Number(process.hrtime.bigint() / 1000n)
const STAMP = /@@(\d+)@@/g

export function requestBytes(target, body, session = 'bench') {
  const more = Object.entries(target.headers ?? {})
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const head =
    `POST ${target.path} HTTP/1.1\r\nhost: 127.0.0.1:${target.port}\r\ncontent-type: application/json\r\n` +
    `authorization: Bearer bench\r\nx-session-id: ${session}\r\n${more}content-length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), body])
}

/** One connection. `send` resolves with times in microseconds, bytes, events and the delays of stamped events. */
export function connect(port, limitMs = 30_000) {
  return new Promise((ok, bad) => {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true })
    let current = null
    const feed = http1Reader({
      onHead: (first) => {
        if (current) current.status = Number(first.split(' ')[1])
      },
      onBody: (b, from, to) => {
        if (!current) return
        current.first ||= nowUs()
        current.bytes += to - from
        const text = b.latin1Slice(from, to)
        for (let i = text.indexOf('\n\n'); i >= 0; i = text.indexOf('\n\n', i + 2)) current.events++
        if (current.stamps) {
          const now = nowUs()
          for (const match of text.matchAll(STAMP)) current.stamps.push(now - Number(match[1]))
        }
      },
      onEnd: () => {
        const done = current
        current = null
        if (!done) return
        clearTimeout(done.timer)
        done.end = nowUs()
        if (done.status === 200) done.ok(done)
        else done.bad(new Error(`status ${done.status}`))
      },
    })
    const fail = (error) => {
      const done = current
      current = null
      if (done) {
        clearTimeout(done.timer)
        done.bad(error)
      }
    }
    socket.on('data', feed)
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('closed')))
    socket.once('error', bad)
    socket.once('connect', () =>
      ok({
        send: (bytes, { stamps = null } = {}) =>
          new Promise((sent, failed) => {
            current = {
              start: nowUs(),
              first: 0,
              bytes: 0,
              events: 0,
              status: 0,
              stamps,
              ok: sent,
              bad: failed,
              timer: setTimeout(() => {
                fail(new Error('timed out'))
                socket.destroy()
              }, limitMs),
            }
            socket.write(bytes)
          }),
        close: () => socket.destroy(),
      }),
    )
  })
}
