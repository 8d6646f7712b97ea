/**
 * One engine and one mock for every pair of a client's and a provider's protocol that differ, with everything checked
 * that passes.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { ConfigInput, ProviderType } from '../../shared/config/schema.ts'
import {
  validateChatBody,
  validateChatRequest,
  validateChatStream,
} from '../../electron/engine/protocol/testing/validate-chat.ts'
import { validateGeminiBody, validateGeminiStream } from '../../electron/engine/protocol/testing/validate-gemini.ts'
import {
  validateMessagesBody,
  validateMessagesRequest,
  validateMessagesStream,
} from '../../electron/engine/protocol/testing/validate-messages.ts'
import {
  validateResponsesBody,
  validateResponsesRequest,
  validateResponsesStream,
} from '../../electron/engine/protocol/testing/validate-responses.ts'
import { removeHomes } from './engine-process.ts'
import { startEngineForTest, type EngineForTest } from './engine.ts'
import { fetchWith } from './fetch-with.ts'
import { heard, type Heard } from './heard.ts'
import { startMockUpstream, type MockReply, type MockRequest, type MockUpstream } from './mock-upstream/index.ts'
import { sdkClients, type SdkClient, type Talk } from './sdk-clients/index.ts'

export type Spoken = Exclude<ProviderType, 'simulator'>

/** Models named as the vendors name theirs: what a codec may send depends on it. */
const upstreamModels: Readonly<Record<Spoken, string>> = {
  'openai-chat': 'deepseek-reasoner',
  'openai-responses': 'gpt-5.2',
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-3-flash-preview',
}
export const spoken = Object.keys(upstreamModels) as Spoken[]

export interface Pair {
  client: SdkClient
  type: Spoken
  title: string
}
/** also those of one protocol, whose bytes pass through */
export const allPairs: readonly Pair[] = sdkClients.flatMap((client) =>
  spoken.map((type) => ({ client, type, title: `${client.name} over ${type}` })),
)
export const pairs: readonly Pair[] = allPairs.filter(({ client, type }) => type !== client.speaks)

/** the model by which a client reaches the provider of that type */
export const modelOf = (type: Spoken): string => `to-${type}`

/** `n` gives the providers other names, under which none of them has failed yet. */
const configOf = (mock: MockUpstream, n = 0): ConfigInput => ({
  providers: Object.fromEntries(
    spoken.map((type) => [
      `${type}-${n}`,
      {
        type,
        baseUrl: type.startsWith('openai') ? `${mock.baseUrl}/v1` : mock.baseUrl,
        keys: [{ alias: 'main', value: 'sk-upstream' }],
        models: { [upstreamModels[type]]: { contextWindow: 200_000, maxOutput: 32_000, vision: true, thinking: true } },
      },
    ]),
  ),
  routes: { default: spoken.map((type) => `${type}-${n}.${upstreamModels[type]}`) },
  aliases: Object.fromEntries(spoken.map((type) => [modelOf(type), `${type}-${n}.${upstreamModels[type]}`])),
})

export interface ConversionBench {
  readonly mock: MockUpstream
  readonly engine: EngineForTest
  /** call after an answer that lets a provider's key rest */
  fresh(): Promise<void>
  /** `session`: the id its client names in a header */
  talk(pair: Pick<Pair, 'client' | 'type'>, system?: string, session?: string): Talk
  /** what the provider says next in this test, one reply per request */
  answers(...replies: MockReply[]): void
  /** the nth request of this test */
  request(n: number): MockRequest
  heard(n: number): Heard
}

/**
 * Call at the top of a spec file. After each test nothing may be left that a strict provider or client would refuse,
 * but what is `allowed`.
 */
export function conversionBench(
  more: Pick<ConfigInput, 'servertools' | 'clock'> = { clock: { enabled: false } },
  allowed: RegExp | null = null,
): ConversionBench {
  let mock: MockUpstream | null = null
  let engine: EngineForTest | null = null
  let before = { problems: 0, turns: 0 }
  let answered: Answered[] = []
  let configs = 0
  let replies: MockReply[] = []
  const here = <T>(value: T | null): T => {
    if (value === null) throw new Error('not started')
    return value
  }
  beforeAll(async () => {
    mock = await startMockUpstream({
      keys: ['sk-upstream'],
      auxiliary: 'script',
      check: (request) => strictly(request).filter((problem) => !allowed?.test(problem)),
    })
    engine = await startEngineForTest({ ...more, ...configOf(mock) })
  })
  afterAll(async () => {
    await engine?.dispose()
    await mock?.dispose()
    removeHomes()
  })
  beforeEach(() => {
    const { problems } = here(mock)
    before = { problems: problems.length, turns: here(mock).turns().length }
    answered = []
    // A test that fails leaves none of its replies to the next.
    replies = []
    here(mock).script(() => replies.shift())
  })
  afterEach(async () => {
    expect(here(mock).problems.slice(before.problems)).toEqual([])
    for (const { speaks, stream, body } of answered) {
      const text = await body
      if (text !== null) expect(problemsOf(speaks, stream, text), text).toEqual([])
    }
  })
  const request = (n: number): MockRequest => {
    const found = here(mock).turns()[before.turns + n - 1]
    if (!found) throw new Error(`the provider got no request ${n}`)
    return found
  }
  return {
    get mock() {
      return here(mock)
    },
    get engine() {
      return here(engine)
    },
    talk({ client, type }, system, session) {
      const { baseUrl, key } = here(engine)
      const listening: typeof fetch = async (input, init) => {
        const response = await fetchWith(session === undefined ? {} : { 'x-session-id': session })(input, init)
        const media = response.headers.get('content-type') ?? ''
        if (response.ok)
          answered.push({
            speaks: client.speaks,
            stream: media.startsWith('text/event-stream'),
            body: response
              .clone()
              .text()
              .catch(() => null),
          })
        return response
      }
      return client.talk({
        baseUrl,
        key,
        model: modelOf(type),
        fetch: listening,
        ...(system === undefined ? {} : { system }),
      })
    },
    async fresh() {
      await here(engine).use({ ...more, ...configOf(here(mock), ++configs) })
    },
    answers: (...more) => {
      replies.push(...more)
    },
    request,
    heard: (n) => heard(request(n)),
  }
}

/** `body` is null where the SDK left before its end. */
interface Answered {
  speaks: Spoken
  stream: boolean
  body: Promise<string | null>
}

/** What SDKs hand back of an answer of their own protocol as it came; vendors take it, though no document says so. */
const handedBack = /annotations is not documented|caller: no member of tool_use|parts\[\]\.text is empty/

const strictly = (request: MockRequest): readonly string[] =>
  problemsOfRequest(request).filter((problem) => !handedBack.test(problem))

function problemsOfRequest({ endpoint, json }: MockRequest): readonly string[] {
  const body = json as Record<string, unknown>
  switch (endpoint) {
    case 'chat':
      return validateChatRequest(body)
    case 'responses':
      return validateResponsesRequest(body)
    case 'messages':
      return validateMessagesRequest(body)
    default:
      return []
  }
}

function problemsOf(speaks: Spoken, stream: boolean, text: string): string[] {
  const body = stream ? {} : (JSON.parse(text) as Record<string, unknown>)
  switch (speaks) {
    case 'openai-chat':
      return stream ? validateChatStream(text) : validateChatBody(body)
    case 'openai-responses':
      return stream ? validateResponsesStream(text) : validateResponsesBody(body)
    case 'anthropic':
      return stream ? validateMessagesStream(text) : validateMessagesBody(body)
    case 'gemini':
      return stream ? validateGeminiStream(text) : validateGeminiBody(body)
  }
}
