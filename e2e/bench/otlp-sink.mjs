// A collector that takes everything and keeps nothing but how many spans came; GET says how many.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

let spans = 0
const server = createServer(async (request, response) => {
  const body = await text(request)
  if (request.url.endsWith('/v1/traces')) spans += body.split('"spanId"').length - 1
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(request.method === 'GET' ? JSON.stringify({ spans }) : '{}')
})
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })))
