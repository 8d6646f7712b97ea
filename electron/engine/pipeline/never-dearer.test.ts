/**
 * A provider's cache is read no less with Onward than without it: requests of real agents as they came (texts and lists
 * cut), in their order, once as the agent sent them and once as the provider got them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { requestKinds, type EntryProtocol } from '../../../shared/words.ts'
import { engineInProcess, listenOnLoopback } from '../../testing/engine-in-process.ts'
import type { Engine } from '../engine.ts'
import { codecOf } from '../protocol/index.ts'
import { tempFolders } from '../store/testing/temp-folder.ts'
import { promptCache } from './testing/prompt-cache.ts'

const shape = z.object({
  run: z.string(),
  kind: z.enum(requestKinds),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.record(z.string(), z.unknown()),
})
type Recorded = z.infer<typeof shape>

const agents = ['claude', 'codex', 'opencode', 'gemini', 'qwen', 'copilot', 'kimi'] as const
const entryAt = (path: string): EntryProtocol =>
  path.includes('/messages')
    ? 'messages'
    : path.includes('/responses')
      ? 'responses'
      : path.includes('/models/')
        ? 'gemini'
        : 'chat'
const types = { messages: 'anthropic', responses: 'openai-responses', chat: 'openai-chat', gemini: 'gemini' } as const

const recordedOf = (agent: string): Recorded[] =>
  readFileSync(new URL(`request/fixtures/${agent}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => shape.parse(JSON.parse(line)))

const runs = agents.flatMap((agent) => {
  const all = recordedOf(agent)
  return [...new Set(all.map(({ run }) => run))].map((run) => [agent, run, all.filter((r) => r.run === run)] as const)
})

const temp = tempFolders()
const over: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of over.splice(0).reverse()) await end()
})

/** An engine with a provider of every protocol. What they answer is another test's subject. */
async function start(): Promise<{ engine: Engine; got: unknown[] }> {
  const got: unknown[] = []
  const provider = createServer((request, response) => {
    const chunks: Buffer[] = []
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const asked = z.looseObject({ stream: z.boolean().optional() }).parse(JSON.parse(String(Buffer.concat(chunks))))
        got.push(asked)
        const path = request.url ?? ''
        const stream = path.includes('alt=sse') || asked.stream === true
        const said = codecOf(entryAt(path)).answer({ id: 'a', model: 'm', text: 'Done.', stream, nowMs: 0 })
        response.writeHead(200, { 'content-type': said.contentType }).end(said.body)
      })
  })
  const { url, end } = await listenOnLoopback(provider)
  over.push(end)
  const home = temp()
  const providers = Object.entries(types).map(([entry, type]) => [
    entry,
    { type, baseUrl: url, auth: 'none', models: { m: {} } },
  ])
  writeFileSync(join(home, 'config.json'), JSON.stringify({ providers: Object.fromEntries(providers) }))
  const engine = await engineInProcess({ home })
  over.push(() => engine.dispose())
  return { engine, got }
}

/** Returns the requests as the provider got them. */
async function throughOnward(run: string, requests: readonly Recorded[]): Promise<unknown[]> {
  const { engine, got } = await start()
  for (const { path, headers, body } of requests) {
    const entry = entryAt(path)
    const named = path.replace(/models\/[^:]*/, 'models/gemini.m')
    const answer = await fetch(`http://127.0.0.1:${engine.address.port}${named}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-session-id': run, ...headers },
      body: JSON.stringify({ ...body, ...(body['model'] === undefined ? {} : { model: `${entry}.m` }) }),
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(text)
  }
  return got
}

describe('what is read from a cache', () => {
  it.each(runs)('%s, %s: is no less with Onward', async (_, run, requests) => {
    const up = await throughOnward(run, requests)
    expect(up).toHaveLength(requests.length)
    const entry = entryAt(requests[0]?.path ?? '')
    const [without, with_] = [promptCache(entry), promptCache(entry)]
    const reads = requests.map((request, i) => ({
      kind: request.kind,
      sent: without.ask(request.body).read,
      up: with_.ask(up[i]).read,
    }))
    expect(reads.filter(({ sent, up: read }) => read < sent)).toEqual([])
  })
})
