import { writeFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it } from 'vitest'
import type { Engine } from './engine.ts'
import { tempFolders } from './store/testing/temp-folder.ts'
import { engineInProcess, listenOnLoopback } from '../testing/engine-in-process.ts'

const temp = tempFolders()
const over: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const end of over.splice(0).reverse()) await end()
})

const megabyte = 1024 * 1024
const streams = 8
const begun = { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'Hello' } }] }

/** A provider whose answers begin and go on for as long as the test lasts. */
async function slowProvider(): Promise<string> {
  const server = createServer((asked, answer) => {
    asked.resume().on('end', () => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${JSON.stringify(begun)}\n\n`)
    })
  })
  const { url, end } = await listenOnLoopback(server)
  over.push(end)
  return url
}

/** Resolves with the answer once its first bytes are there; it stays open. */
const ask = (port: number, path: string, body: Buffer): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    request({ port, path, method: 'POST', headers, agent: false }, (answer) => {
      answer.once('data', () => resolve(answer)).once('error', reject)
    })
      .once('error', reject)
      .end(body)
  })

/** of all buffers, in MB, after unreferenced ones are collected */
async function held(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  if (typeof gc !== 'function') throw new Error('no gc')
  // Collecting takes long in a process that has loaded a lot: until it frees nothing more.
  for (let i = 1, before = Infinity; ; i++) {
    await nextTurn()
    gc()
    const { arrayBuffers } = process.memoryUsage()
    if (i > 2 && arrayBuffers >= before) return arrayBuffers / megabyte
    before = arrayBuffers
  }
}

async function start(settings: Record<string, unknown>): Promise<Engine> {
  const home = temp()
  const provider = { type: 'openai-chat', baseUrl: await slowProvider(), keys: [], models: { m: {} } }
  writeFileSync(join(home, 'config.json'), JSON.stringify({ providers: { p: provider }, ...settings }))
  const engine = await engineInProcess({ home })
  over.push(() => engine.dispose())
  return engine
}

const long = 'x'.repeat(megabyte)
const marked = [{ role: 'user', content: `${long} <**clock:clear**>` }]
const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }]
const requests = {
  'that pass through': ['/v1/chat/completions', { messages: [{ role: 'user', content: long }] }],
  'with tools, and a marker taken out': ['/v1/chat/completions', { messages: marked, tools }],
  'from Messages to Chat': ['/v1/messages', { max_tokens: 9, messages: [{ role: 'user', content: long }] }],
  'from Responses to Chat': ['/v1/responses', { input: long }],
} as const

/** How often each request's bytes are held while its answer streams. */
async function timesHeld(engine: Engine, what: keyof typeof requests): Promise<number> {
  const [path, more] = requests[what]
  const body = Buffer.from(JSON.stringify({ model: 'p/m', stream: true, ...more }))
  const before = await held()
  const answers = await Promise.all(Array.from({ length: streams }, () => ask(engine.address.port, path, body)))
  const meanwhile = await held()
  for (const answer of answers) answer.destroy()
  return (meanwhile - before) / streams
}

describe('while answers stream', () => {
  it.each(Object.keys(requests) as (keyof typeof requests)[])('requests %s are not kept', async (what) => {
    const engine = await start({ servertools: { enabled: false }, clock: { enabled: false } })
    expect(await timesHeld(engine, what)).toBeLessThan(0.5)
  })

  it.each(Object.keys(requests) as (keyof typeof requests)[])(
    'requests %s that a tool of Onward’s may go on from are kept once',
    async (what) => expect(await timesHeld(await start({}), what)).toBeLessThan(1.5),
  )
})
