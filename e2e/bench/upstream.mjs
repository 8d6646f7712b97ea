// The upstream of the bench: answers Chat and Messages as JSON or as a stream, steered by POST /__config.
// Every event is one write in one turn of the event loop, so that a relay meets them as it would from afar.
import net from 'node:net'
import { http1Reader } from './http1.mjs'

let config = { events: 200, delayMs: 0, stamp: false, finish: 'stop' }
const nowUs = () => Number(process.hrtime.bigint() / 1000n)

const chatJson = (finish) =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'mock-model',
    choices: [{ index: 0, message: { role: 'assistant', content: 'token '.repeat(60) }, finish_reason: finish }],
    usage: { prompt_tokens: 10, completion_tokens: 60, total_tokens: 70 },
  })
const chatChunk = (delta, finish = null) =>
  'data: ' +
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'mock-model',
    choices: [{ index: 0, delta, finish_reason: finish }],
  }) +
  '\n\n'
const chunk = (text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

function answer(socket, stream) {
  if (!stream) {
    const json = chatJson(config.finish)
    socket.write(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
    )
    return
  }
  socket.write(
    'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n' +
      'cache-control: no-cache\r\ntransfer-encoding: chunked\r\n\r\n',
  )
  const { events, delayMs, stamp } = config
  let sent = 0
  const next = () => {
    if (socket.destroyed) return
    if (sent < events) {
      socket.write(chunk(chatChunk({ content: stamp ? `@@${nowUs()}@@` : 'token ' })))
      sent++
      if (delayMs > 0) setTimeout(next, delayMs)
      else setImmediate(next)
    } else socket.write(`${chunk(chatChunk({}, 'stop'))}${chunk('data: [DONE]\n\n')}0\r\n\r\n`)
  }
  next()
}

const server = net.createServer({ noDelay: true }, (socket) => {
  let path = ''
  let body = []
  const feed = http1Reader({
    onHead: (first) => {
      path = first.split(' ')[1] ?? ''
      body = []
    },
    onBody: (b, from, to) => {
      body.push(Buffer.from(b.subarray(from, to)))
    },
    onEnd: () => {
      const bytes = Buffer.concat(body)
      if (path === '/__config') {
        config = { ...config, ...JSON.parse(bytes.toString()) }
        socket.write('HTTP/1.1 204 No Content\r\n\r\n')
      } else answer(socket, bytes.includes('"stream":true'))
    },
  })
  socket.on('data', feed)
  socket.on('error', () => socket.destroy())
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify({ port: server.address().port })}\n`))
process.on('SIGTERM', () => process.exit(0))
