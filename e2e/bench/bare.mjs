// The bare node:http proxies that Onward is measured against, in the same run.
//   pipe   both bodies piped, nothing looked at: the floor
//   parse  body collected, JSON.parse, model read, JSON.stringify, forwarded; answer piped: the reference `node-parse`
import http from 'node:http'

const [mode, upstreamPort] = process.argv.slice(2)
const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 1024, scheduling: 'lifo' })
const hop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host', 'content-length'])
const passed = (headers) => Object.fromEntries(Object.entries(headers).filter(([name]) => !hop.has(name)))

function forward(req, res, body) {
  const headers = {
    ...passed(req.headers),
    'content-length': body ? body.length : (req.headers['content-length'] ?? 0),
  }
  const call = http.request(
    { host: '127.0.0.1', port: upstreamPort, path: req.url, method: req.method, headers, agent },
    (answer) => {
      const out = { ...answer.headers }
      delete out.connection
      delete out['keep-alive']
      delete out['transfer-encoding']
      res.writeHead(answer.statusCode, out)
      answer.pipe(res)
    },
  )
  call.on('error', () => res.destroy())
  res.on('close', () => {
    if (!res.writableFinished) call.destroy()
  })
  if (body) call.end(body)
  else req.pipe(call)
}

const server = http.createServer((req, res) => {
  if (mode === 'pipe') return forward(req, res, null)
  const parts = []
  req.on('data', (part) => parts.push(part))
  req.on('end', () => {
    const json = JSON.parse(Buffer.concat(parts).toString())
    json.model = String(json.model)
    forward(req, res, Buffer.from(JSON.stringify(json)))
  })
})
server.listen(0, '127.0.0.1', 2048, () =>
  process.stdout.write(`${JSON.stringify({ port: server.address().port, pid: process.pid })}\n`),
)
process.on('SIGTERM', () => process.exit(0))
