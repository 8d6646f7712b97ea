import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { wireProtocols, type WireProtocol } from '../../protocol/canonical/request.ts'
import { codecOf } from '../../protocol/index.ts'
import { goldens } from '../../protocol/testing/golden/load.ts'
import { plainRequest } from '../../protocol/testing/plain-request.ts'
import {
  convertersOf,
  convertWhole,
  type WayBack,
  readRequest,
  writeRequest,
  type RequestJob,
  type WrittenRequest,
} from './convert.ts'
import type { KeptOfTurn } from '../kept-thinking.ts'
import { conversionThread } from './conversion-thread.ts'

const countedIds = 'export const systemRandom = () => { let ids = 0; return { token: () => `id_${++ids}` } }'
let folder: string
let program: URL
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'onward-convert-thread-'))
  const file = join(folder, 'convert-thread.mjs')
  const bundle = await rolldown({
    input: resolve(import.meta.dirname, 'thread.ts'),
    platform: 'node',
    logLevel: 'silent',
    // Ids are counted, so that the thread and the test make the same ones.
    plugins: [{ name: 'counted-ids', load: (id) => (id.endsWith('base/ids.ts') ? countedIds : null) }],
  })
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
  program = pathToFileURL(file)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const never = new AbortController().signal
const nothingKept: KeptOfTurn = { answers: [], forgotten: false, by: 'p.m' }

const fixtures = join(import.meta.dirname, '../request/fixtures')
interface Recorded {
  path: string
  body: object
}
/** Recorded requests of agents, by protocol. */
const recorded = (['claude', 'codex', 'copilot', 'gemini', 'kimi', 'opencode', 'qwen'] as const).flatMap((client) =>
  readFileSync(join(fixtures, `${client}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line, n) => ({ name: `${client} ${n}`, ...(JSON.parse(line) as Recorded) })),
)
const protocolOf = (path: string): WireProtocol =>
  path.includes('/chat/completions')
    ? 'chat'
    : path.includes('/messages')
      ? 'messages'
      : path.includes('/responses')
        ? 'responses'
        : 'gemini'

function jobFor(from: WireProtocol, to: WireProtocol, path: string, body: object, more?: Partial<RequestJob>) {
  const bytes = Buffer.from(JSON.stringify(body))
  const job: RequestJob = {
    from,
    to,
    path,
    body: bytes,
    // Both forms of Onward's own additions to a request: bytes, and text.
    changes: [
      { start: 1, end: 1, replacement: Buffer.from(' ') },
      { start: 1, end: 1, replacement: ' ' },
    ],
    word: '5d1b5b0e-57ab-4d7a-a9f4-0f5b3d9c2a11',
    before: from === 'responses' ? [{ type: 'message', role: 'user', content: 'Before.' }] : null,
    target: { model: 'm', maxOutput: null },
    noThinking: false,
    ...more,
  }
  return job
}

const bytesOf = ({ body, input, ...written }: WrittenRequest) => ({
  ...written,
  body: Buffer.concat(Array.isArray(body) ? body : [body as Uint8Array]).toString(),
  input: input instanceof Uint8Array ? JSON.parse(Buffer.from(input).toString()) : input,
})

const short = jobFor('chat', 'gemini', '/v1/chat/completions', {
  model: 'm',
  messages: [{ role: 'user', content: 'Hi' }],
})
const mayPass = { code: 'conversion-failed', status: 503, retryable: true }

describe('a thread that converts', () => {
  it('says every recorded request as it is said at once', async () => {
    const thread = conversionThread(systemClock(), program)
    let seen = 0
    for (const { name, path, body } of recorded) {
      const from = protocolOf(path)
      for (const to of wireProtocols.filter((one) => one !== from)) {
        const job = jobFor(from, to, path, body)
        const here = writeRequest(job, readRequest(job, codecOf(from).read(Buffer.from(job.body), path)), nothingKept)
        const there = await thread.request(job, () => nothingKept, never)
        expect(bytesOf(there), `${name} to ${to}`).toEqual(bytesOf(here))
        seen++
      }
    }
    expect(seen).toBeGreaterThan(100)
  }, 60_000)

  it('says every whole answer of a vendor as it is said at once', async () => {
    const thread = conversionThread(systemClock(), program)
    const whole = goldens().filter(({ form }) => form === 'body')
    expect(whole.length).toBeGreaterThan(10)
    for (const { name, protocol, bytes } of whole) {
      for (const to of wireProtocols.filter((one) => one !== protocol)) {
        for (const streaming of [false, true]) {
          const back: WayBack = {
            from: protocol,
            to,
            tools: { declared: [], given: [['look_1', { name: 'look', namespace: null }]], custom: [] },
            citations: 'convert',
            context: { model: 'm', request: plainRequest, nowMs: Date.UTC(2026, 10, 23) },
            isList: to === 'gemini',
            thinking: { of: protocol, by: 'p.m', ordinal: 0, at: 1 },
            keepsResponse: true,
          }
          const here = {
            dropped: new Set<string>(),
            usage: null as unknown,
            thinking: [] as unknown[],
            response: null as unknown,
          }
          let ids = 0
          const converters = convertersOf(
            back,
            { token: () => `id_${++ids}` },
            {
              dropped: (name_) => void here.dropped.add(name_),
              usage: (usage) => (here.usage = usage),
              keepThinking: (answer) => void here.thinking.push(answer),
              keepResponse: (response) => (here.response = response),
            },
          )
          const said = convertWhole(converters, bytes, streaming)
          const there = await thread.answer({ back, body: bytes, streaming }, never)
          const plain = (value: unknown) => JSON.stringify(value, (_, one: unknown) => textOf(one))
          const label = `${name} to ${to}, ${streaming ? 'streamed' : 'whole'}`
          expect(plain(there.whole), label).toEqual(plain(said))
          expect(plain({ ...there, whole: null, response: there.response !== null }), label).toEqual(
            plain({ whole: null, ...here, dropped: [...here.dropped], response: here.response !== null }),
          )
        }
      }
    }
  }, 60_000)

  it('tells calls of the history before it is asked to write, and refuses as it would be refused at once', async () => {
    const thread = conversionThread(systemClock(), program)
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: 'seen' },
    ]
    const asked: (readonly string[])[] = []
    await thread.request(
      jobFor('chat', 'messages', '/v1/chat/completions', { model: 'm', messages }),
      (callIds) => {
        asked.push(callIds)
        return null
      },
      never,
    )
    expect(asked).toEqual([['c1']])
    await expect(
      thread.request(
        jobFor('chat', 'messages', '/v1/chat/completions', { model: 'm', messages: 5 }),
        () => null,
        never,
      ),
    ).rejects.toMatchObject({ code: 'bad-request', status: 400 })
  })

  it('is ended under a job whose client leaves, and does the next one all the same', async () => {
    const thread = conversionThread(systemClock(), program)
    const long = (): RequestJob =>
      jobFor('chat', 'gemini', '/v1/chat/completions', {
        model: 'm',
        messages: Array.from({ length: 20_000 }, () => ({ role: 'user', content: 'a' })),
      })
    const leaving = new AbortController()
    const left = thread.request(long(), () => null, leaving.signal).catch((error: { code: string }) => error.code)
    const waits = thread.request(short, () => null, leaving.signal).catch((error: { code: string }) => error.code)
    const next = thread.request(short, () => null, never)
    leaving.abort()
    expect([await left, await waits]).toEqual(['aborted', 'aborted'])
    expect(bytesOf(await next).body).toContain('"Hi"')
  })

  it('is told as a failure that may pass when it takes too long', async () => {
    const file = join(folder, 'hangs.mjs')
    writeFileSync(file, "import { parentPort } from 'node:worker_threads'\nparentPort.on('message', () => undefined)\n")
    const clock = virtualClock()
    const late = conversionThread(clock, pathToFileURL(file)).request(short, () => null, never)
    const told = expect(late).rejects.toMatchObject(mayPass)
    while (clock.pending() === 0)
      await new Promise((soon) => {
        setImmediate(soon)
      })
    await clock.advance(60_000)
    await told
  })

  it('is told as a failure that may pass when it dies', async () => {
    const file = join(folder, 'dies.mjs')
    writeFileSync(
      file,
      "import { parentPort } from 'node:worker_threads'\nparentPort.on('message', () => process.exit(3))\n",
    )
    const thread = conversionThread(systemClock(), pathToFileURL(file))
    await expect(thread.request(short, () => null, never)).rejects.toMatchObject(mayPass)
  })

  it('is told as a failure that may pass when it takes more memory than it gets, and does the next one', async () => {
    const thread = conversionThread(systemClock(), program, 16)
    const messages = Array.from({ length: 40_000 }, () => ({ role: 'user', content: 'a' }))
    const large = jobFor('chat', 'gemini', '/v1/chat/completions', { model: 'm', messages })
    await expect(thread.request(large, () => null, never)).rejects.toMatchObject({
      ...mayPass,
      message: expect.stringContaining('takes more memory than it gets'),
    })
    expect(bytesOf(await thread.request(short, () => null, never)).body).toContain('"Hi"')
  })

  it('gets a gigabyte and no more', async () => {
    const file = join(folder, 'says-its-bounds.mjs')
    writeFileSync(
      file,
      "import { parentPort, resourceLimits } from 'node:worker_threads'\n" +
        "const result = { whole: { kind: 'nothing' }, gets: resourceLimits.maxOldGenerationSizeMb }\n" +
        "parentPort.on('message', () => parentPort.postMessage({ kind: 'done', result }))\n",
    )
    const job = { back: {} as WayBack, body: Buffer.from('{}'), streaming: false }
    expect(await conversionThread(systemClock(), pathToFileURL(file)).answer(job, never)).toMatchObject({ gets: 1024 })
  })

  it('ends when nobody has asked it for half a minute', async () => {
    const clock = virtualClock()
    const thread = conversionThread(clock, program)
    await thread.request(short, () => null, never)
    await new Promise((soon) => {
      setImmediate(soon)
    })
    expect(clock.pending()).toBe(1)
    await clock.advance(30_000)
    expect(clock.pending()).toBe(0)
    expect(bytesOf(await thread.request(short, () => null, never)).body).toContain('"Hi"')
  })
})

const textOf = (value: unknown): unknown => {
  const bytes = value as { type?: string; data?: number[] } | Uint8Array | null
  if (bytes instanceof Uint8Array) return Buffer.from(bytes).toString()
  return bytes?.type === 'Buffer' && Array.isArray(bytes.data) ? Buffer.from(bytes.data).toString() : value
}
