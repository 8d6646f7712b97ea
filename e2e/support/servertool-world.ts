/**
 * Clients of every protocol at one engine and one mock, each request of theirs and what came of it upstream at hand.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { ConfigInput } from '../../shared/config/schema.ts'
import { allEntries, providersFor, type TestEntry } from './entries.ts'
import { removeHomes, type EngineOptions } from './engine-process.ts'
import { startEngineForTest, type EngineForTest } from './engine.ts'
import { fetchWith } from './fetch-with.ts'
import {
  callTool,
  startMockUpstream,
  type MockReply,
  type MockRequest,
  type MockUpstream,
} from './mock-upstream/index.ts'
import { sdkClients, type SdkClient, type SdkTool, type Talk } from './sdk-clients/index.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'

export const clockInput = { action: 'get', items: [], taskId: '' }
export const callClock = (more: Parameters<typeof callTool>[2] = {}) => callTool('clock', clockInput, more)
export const look: SdkTool = {
  name: 'look',
  description: 'Looks at a place',
  parameters: { type: 'object', properties: { at: { type: 'string' } } },
}

export interface ServertoolWorld {
  readonly mock: MockUpstream
  engine: EngineForTest
  readonly config: ConfigInput
  /** a conversation of the official SDK at that door */
  talk(door: TestEntry, session?: string, headers?: Readonly<Record<string, string>>): Conversation
  /** what the provider says next in this test, one reply per request */
  answers(...replies: MockReply[]): void
  /** requests of this test, side requests too, oldest first */
  requests(): readonly MockRequest[]
  request(n: number): MockRequest
  /** what is kept of the hidden history of sessions, by session */
  kept(): readonly string[]
  keeps(session: string): Promise<void>
}

export interface Conversation extends Talk {
  session: string
  client: SdkClient
  /** bodies the SDK sent, as they were */
  sent: readonly string[]
  /** bodies the SDK got */
  got: readonly Promise<string>[]
}

export const clientAt = (door: TestEntry): SdkClient => {
  const client = sdkClients.find(({ speaks }) => speaks === door.type)
  if (!client) throw new Error(`no SDK speaks ${door.type}`)
  return client
}

/** Call at the top of a spec file. */
export function servertoolWorld(more: ConfigInput = {}, options: Omit<EngineOptions, 'config'> = {}): ServertoolWorld {
  let mock: MockUpstream | null = null
  let engine: EngineForTest | null = null
  let config: ConfigInput = {}
  let before = 0
  let found = 0
  let replies: MockReply[] = []
  const here = <T>(value: T | null): T => {
    if (value === null) throw new Error('not started')
    return value
  }
  beforeAll(async () => {
    mock = await startMockUpstream({ keys: ['sk-upstream'], auxiliary: 'script' })
    config = { ...providersFor(mock, 'sk-upstream', allEntries), ...more }
    engine = await startEngineForTest(config, options)
  })
  afterAll(async () => {
    await engine?.dispose()
    await mock?.dispose()
    removeHomes()
  })
  beforeEach(() => {
    before = here(mock).requests.length
    found = here(mock).problems.length
    replies = []
    here(mock).script(() => replies.shift())
  })
  afterEach(() => {
    expect(here(mock).problems.slice(found)).toEqual([])
  })

  const requests = (): readonly MockRequest[] => here(mock).requests.slice(before)
  const kept = (): string[] =>
    readdirSync(join(here(engine).home, 'sessions'), { recursive: true, encoding: 'utf8' }).flatMap(
      (path) => /servertool-pending\/(.+)\.json$/.exec(path)?.[1] ?? [],
    )
  return {
    get mock() {
      return here(mock)
    },
    get engine() {
      return here(engine)
    },
    set engine(next) {
      engine = next
    },
    get config() {
      return config
    },
    talk(door, session = randomUUID(), headers = {}) {
      const client = clientAt(door)
      const sent: string[] = []
      const got: Promise<string>[] = []
      const { baseUrl, key } = here(engine)
      const listening: typeof fetch = async (input, init) => {
        sent.push(await new Request(input, init).text())
        const response = await fetchWith({ 'x-session-id': session, ...headers })(input, init)
        got.push(
          response
            .clone()
            .text()
            .catch((error: unknown) => `broken off: ${String(error)}`),
        )
        return response
      }
      return { session, client, sent, got, ...client.talk({ baseUrl, key, model: 'm-1', fetch: listening }) }
    },
    answers: (...next) => {
      replies.push(...next)
    },
    requests,
    request(n) {
      const one = requests()[n - 1]
      if (!one) throw new Error(`the provider got no request ${n}`)
      return one
    },
    kept,
    keeps: async (session) => {
      await waitFor('the hidden history on the disk', () => kept().includes(session))
    },
  }
}
