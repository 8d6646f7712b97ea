// For `npm run size`: which files of the product a turn runs, by V8's own coverage. Prints JSON: walk -> files.
// The engine is warm, so what runs once at a start is not counted.
import { createServer } from 'node:http'
import { Session } from 'node:inspector/promises'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(import.meta.dirname, '../..')
const { engineInProcess, listenOnLoopback } = await import('../../electron/testing/engine-in-process.ts')

const event = (type, more) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
const usage = { input_tokens: 1, output_tokens: 1 }
const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage }
const answer =
  event('message_start', { message }) +
  event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Done.' } }) +
  event('content_block_stop', { index: 0 }) +
  event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }) +
  event('message_stop', {})
const provider = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answer))
})
const messages = [{ role: 'user', content: 'Hi' }]
const walks = {
  'pass-through turn': ['/v1/messages', { model: 'p.m', max_tokens: 9, stream: true, messages }],
  'converted turn': ['/v1/chat/completions', { model: 'p.m', stream: true, messages }],
}

const home = mkdtempSync(join(tmpdir(), 'onward-size-'))
const { url, end } = await listenOnLoopback(provider)
writeFileSync(
  join(home, 'config.json'),
  JSON.stringify({ providers: { p: { type: 'anthropic', baseUrl: url, auth: 'none', models: { m: {} } } } }),
)
const engine = await engineInProcess({ home })
const session = new Session()
session.connect()
await session.post('Profiler.enable')
try {
  const ran = {}
  for (const [walk, [path, body]] of Object.entries(walks)) {
    const turn = async () => {
      const got = await fetch(`http://127.0.0.1:${engine.address.port}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-session-id': 'size' },
        body: JSON.stringify(body),
      })
      const text = await got.text()
      if (got.status !== 200) throw new Error(text)
    }
    await turn()
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    await turn()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    await session.post('Profiler.stopPreciseCoverage')
    ran[walk] = result
      .filter(({ functions }) => functions.some(({ ranges }) => ranges[0].count > 0))
      .flatMap(({ url: at }) => (at.startsWith('file:') ? [relative(root, fileURLToPath(at))] : []))
      .filter((file) => /^(electron|shared|renderer)\//.test(file) && !file.includes('/testing/'))
      .toSorted()
  }
  process.stdout.write(JSON.stringify(ran))
} finally {
  await engine.dispose()
  await end()
  rmSync(home, { recursive: true, force: true })
}
process.exit(0)
