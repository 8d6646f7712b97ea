/**
 * A provider's cache is read no less with Onward than without it: requests of real agents as they came (texts and lists
 * cut), in their order, once as the agent sent them and once as the provider got them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { entryProtocols, requestKinds, type EntryProtocol } from '../../../shared/words.ts'
import { engineInProcess, listenOnLoopback } from '../../testing/engine-in-process.ts'
import type { Engine } from '../engine.ts'
import { codecOf, serverToolCodecOf } from '../protocol/index.ts'
import { asList, asObject, type JsonObject } from '../protocol/values.ts'
import { tempFolders } from '../store/testing/temp-folder.ts'
import type { Reminders } from './request/reminders.ts'
import { historyOf, requestOf, userItem } from './testing/client-view.ts'
import { promptCache } from './testing/prompt-cache.ts'
import { roundsScene } from './testing/rounds-scene.ts'
import { lookTool } from './testing/slow-tool.ts'

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

const mark = { cache_control: { type: 'ephemeral' } }

/** What the client sends, with its newest words or results marked as Claude Code does it. */
function asked(entry: EntryProtocol, items: readonly JsonObject[]): JsonObject {
  const last = asObject(items.at(-1))
  if (entry !== 'messages' || !last) return requestOf(entry, items)
  const { content } = last
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content)
  const marked = [...blocks.slice(0, -1), { ...asObject(blocks.at(-1)), ...mark }]
  return {
    ...requestOf(entry, [...items.slice(0, -1), { ...last, content: marked }]),
    system: [{ type: 'text', text: 'You are an agent.', ...mark }],
  }
}

const reminded: Reminders = {
  async begin(turn) {
    turn.draft = { ...turn.draft, reminder: serverToolCodecOf(turn.call.entry).userItem('An alarm.') }
    return { over: () => undefined }
  },
}
const ways = {
  'nothing hidden': {},
  'an alarm that went along': { reminders: reminded },
  'the time': { timeTag: () => '[Time/Date]: now' },
}

describe.each(entryProtocols)('with %s, what is read after an answer', (entry) => {
  const cases = Object.entries(ways).flatMap(([way, options]) =>
    [0, 1, 12].flatMap((hidden) => [0, 9].map((own) => [way, hidden, own, options] as const)),
  )
  it.each(cases)('with %s, %i hidden calls and %i of the client’s is no less', async (_, hidden, own, options) => {
    const s = await roundsScene(entry, { tools: [lookTool()], ...options })
    const [without, with_] = [promptCache(entry), promptCache(entry)]
    const reads: { sent: number; up: number }[] = []
    let history: JsonObject[] = [userItem(entry, 'Hi, '.repeat(100))]
    for (let turn = 1; turn <= 3; turn++) {
      const body = asked(entry, history)
      const sent = without.ask(body).read
      const n = s.upstream.rounds.length
      const { client, over } = await s.ask(body)
      const first = await s.upstream.round(n + 1)
      reads.push({ sent, up: with_.ask(first.json).read })
      const calls = (name: string, count: number) =>
        Array.from({ length: count }, (__, i) => ({ name, id: `call_${turn}_${name}${i}`, input: {} }))
      if (hidden > 0) {
        first.answer({ text: 'Let me look.', toolCalls: calls('look', hidden) })
        const second = await s.upstream.round(n + 2)
        // Within the answer, too: what was sent is not paid for again.
        expect(with_.ask(second.json).read).toBeGreaterThanOrEqual(without.ask(body).read)
        second.answer({ text: `Answer ${turn}.`, toolCalls: calls('read', own) })
      } else first.answer({ text: `Answer ${turn}.`, toolCalls: calls('read', own) })
      await over
      for (const { json } of s.upstream.rounds.slice(n))
        expect((JSON.stringify(json).match(/"cache_control"/g) ?? []).length).toBeLessThanOrEqual(4)
      history = [...history, ...historyOf(entry, client.text), ...(own > 0 ? [] : [userItem(entry, `More ${turn}.`)])]
    }
    expect(reads.filter(({ sent, up }) => up < sent)).toEqual([])
    expect(reads.at(-1)?.sent).toBeGreaterThan(0)
  })
})
