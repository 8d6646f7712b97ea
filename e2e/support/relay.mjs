#!/usr/bin/env node
/**
 * Passes HTTP requests on to the base URL it is given, so that they come from where it runs. It writes its own base URL
 * into the file it is given, and outlives its terminal.
 */
import { writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'

const [to, file] = process.argv.slice(2)
process.on('SIGHUP', () => undefined)
const server = createServer((asked, answer) => {
  const passed = request(to + asked.url, { method: asked.method, headers: asked.headers }, (got) => {
    answer.writeHead(got.statusCode, got.headers)
    got.pipe(answer)
  })
  passed.on('error', () => answer.destroy())
  answer.on('close', () => passed.destroy())
  asked.pipe(passed)
})
server.listen(0, '127.0.0.1', () => {
  writeFileSync(file, JSON.stringify({ pid: process.pid, baseUrl: `http://127.0.0.1:${server.address().port}` }))
})
