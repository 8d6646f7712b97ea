/** An engine whose loop is watched, and a provider of every protocol that sends what a test wants. */
import { createServer } from 'node:http'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect } from 'vitest'
import { listenOnLoopback } from '../../electron/testing/engine-in-process.ts'
import { startEngineForTest, type EngineForTest } from './engine.ts'
import { removeHomes } from './engine-process.ts'
import { post, type Answer } from './post.ts'

export type Protocol = 'chat' | 'messages' | 'responses' | 'gemini'
export const protocols: readonly Protocol[] = ['chat', 'messages', 'responses', 'gemini']
export const pairs = protocols.flatMap((client) => protocols.map((provider) => ({ client, provider })))
/** ms of the loop for one piece of work */
const most = 50

/** What a provider answers with: a body, or the events of a stream. */
export type Says = object | readonly object[]

export interface Asked {
  client: Protocol
  provider: Protocol
  /** members of the request; absent: one that says "Hi" */
  request?: object
  streams?: boolean
  /** one for each request, the last of them for all that follow */
  says: readonly Says[]
  session?: string
}

export interface WatchedEngine {
  ask(asked: Asked): Promise<Answer>
  /**
   * Expects that nothing of this keeps the loop. Of three times the best one counts: a collection of garbage comes when
   * it wants, and what an input costs it costs each time.
   */
  staysFree(work: () => Promise<unknown>): Promise<void>
  /** bytes of the last request that the provider got */
  sent(): number
}

/** Call at the top of a spec file. */
export function watchedEngine(): WatchedEngine {
  const folder = mkdtempSync(join(tmpdir(), 'onward-watchdog-'))
  const file = join(folder, 'kept.txt')
  let end: (() => Promise<void>) | null = null
  let engine: EngineForTest | null = null
  let replies: Says[] = []
  let sent = 0
  const upstream = createServer((request, response) => {
    sent = 0
    request.on('data', (chunk: Buffer) => (sent += chunk.length))
    request.on('end', () => {
      const says = (replies.length > 1 ? replies.shift() : replies[0]) ?? {}
      const isStream = Array.isArray(says)
      response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
      response.end(isStream ? says.map(eventOf).join('') : JSON.stringify(says))
    })
  })
  beforeAll(async () => {
    const listening = await listenOnLoopback(upstream)
    end = listening.end
    const { url } = listening
    const open = { auth: 'none' as const, models: { m: {} } }
    engine = await startEngineForTest(
      {
        providers: {
          chat: { ...open, type: 'openai-chat', baseUrl: `${url}/v1` },
          messages: { ...open, type: 'anthropic', baseUrl: url },
          responses: { ...open, type: 'openai-responses', baseUrl: `${url}/v1` },
          gemini: { ...open, type: 'gemini', baseUrl: url },
        },
      },
      {
        env: {
          TEST_WATCHDOG: file,
          NODE_OPTIONS: `--import=${pathToFileURL(resolve(import.meta.dirname, 'watchdog.mjs')).href}`,
        },
      },
    )
  })
  afterAll(async () => {
    await engine?.dispose()
    await end?.()
    rmSync(folder, { recursive: true, force: true })
    removeHomes()
  })

  /** How long the loop was kept since the last look, where that is worth a line. */
  function kept(): number[] {
    if (!existsSync(file)) return []
    const lines = readFileSync(file, 'latin1').trim().split('\n').map(Number)
    rmSync(file)
    return lines
  }
  return {
    async ask({ client, provider, request = hi[client], streams = false, says, session }) {
      if (!engine) throw new Error('not started')
      replies = [...says]
      const model = `${provider}.m`
      return post(
        engine,
        pathOf(client, model, streams),
        JSON.stringify(client === 'gemini' ? request : { ...request, model, ...(streams ? { stream: true } : {}) }),
        { headers: { 'x-goog-api-key': engine.key, ...(session === undefined ? {} : { 'x-session-id': session }) } },
      )
    },
    async staysFree(work) {
      let long: number[] = []
      for (let times = 0; times < 3; times++) {
        kept()
        await work()
        long = kept().filter((ms) => ms > most)
        if (long.length === 0) return
      }
      expect(long).toEqual([])
    },
    sent: () => sent,
  }
}

function pathOf(client: Protocol, model: string, streams: boolean): string {
  switch (client) {
    case 'chat':
      return '/v1/chat/completions'
    case 'messages':
      return '/v1/messages'
    case 'responses':
      return '/v1/responses'
    case 'gemini':
      return `/v1beta/models/${model}:${streams ? 'streamGenerateContent?alt=sse' : 'generateContent'}`
  }
}

const hi: Record<Protocol, object> = {
  chat: { messages: [{ role: 'user', content: 'Hi' }] },
  messages: { max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
  responses: { input: 'Hi' },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
}

const eventOf = (event: object): string =>
  `${'type' in event ? `event: ${String(event.type)}\n` : ''}data: ${JSON.stringify(event)}\n\n`

export const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

export const chunk = (delta: object, finish: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const usage = { input_tokens: 1, output_tokens: 1 }
export const begin = {
  type: 'message_start',
  message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage },
}
export const over = (reason: string) => [
  { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
]
export const response = (output: object[], status: string) => ({
  id: 'r',
  object: 'response',
  status,
  model: 'm',
  output,
})
export const candidate = (parts: readonly object[], isLast: boolean) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...(isLast ? { finishReason: 'STOP' } : {}) }],
})
