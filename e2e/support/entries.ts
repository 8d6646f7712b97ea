/** The entry protocols as tests go in by them, each with the provider type that speaks the same. */
import type { ConfigInput, ProviderType } from '../../shared/config/schema.ts'
import type { EntryProtocol } from '../../shared/words.ts'
import type { MockUpstream } from './mock-upstream/index.ts'

export interface TestEntry {
  entry: EntryProtocol
  type: ProviderType
  path: string
  /** where streaming is asked for by the path */
  streamPath?: string
  headers: Readonly<Record<string, string>>
  /** the member that holds the conversation */
  list: 'messages' | 'input' | 'contents'
  /** members a provider insists on */
  more: Readonly<Record<string, unknown>>
  /** type of a text part of a user message */
  textPart: 'text' | 'input_text'
  /** an event after which a stream is whole; without it a stream counts as broken off, and is told so */
  lastEvent: string
}

/** A door whose requests say in their body what they ask for. */
export type BodyEntry = TestEntry & { entry: Exclude<EntryProtocol, 'gemini'> }

export const chatEntry: BodyEntry = {
  entry: 'chat',
  type: 'openai-chat',
  path: '/v1/chat/completions',
  headers: {},
  list: 'messages',
  more: {},
  textPart: 'text',
  lastEvent: 'data: [DONE]\n\n',
}
export const responsesEntry: BodyEntry = {
  entry: 'responses',
  type: 'openai-responses',
  path: '/v1/responses',
  headers: {},
  list: 'input',
  more: {},
  textPart: 'input_text',
  lastEvent: 'data: {"type":"response.completed" , "response":{}}\n\n',
}
export const messagesEntry: BodyEntry = {
  entry: 'messages',
  type: 'anthropic',
  path: '/v1/messages',
  headers: { 'anthropic-version': '2023-06-01' },
  list: 'messages',
  more: { max_tokens: 100 },
  textPart: 'text',
  lastEvent: 'event: message_stop\ndata: {"type": "message_stop"}\n\n',
}
export const bodyEntries: readonly BodyEntry[] = [chatEntry, responsesEntry, messagesEntry]

export const geminiEntry: TestEntry = {
  entry: 'gemini',
  type: 'gemini',
  path: '/v1beta/models/m-1:generateContent',
  streamPath: '/v1beta/models/m-1:streamGenerateContent?alt=sse',
  headers: {},
  list: 'contents',
  more: {},
  textPart: 'text',
  lastEvent: 'data: {"candidates" : [{"finishReason":"STOP"}]}\r\n\r\n',
}
export const allEntries: readonly TestEntry[] = [...bodyEntries, geminiEntry]

export const pathOf = (door: TestEntry, stream: boolean): string => (stream ? door.streamPath : undefined) ?? door.path
/** The provider's address as a config names it. */
export const baseUrlOf = (door: Pick<TestEntry, 'type'>, mock: Pick<MockUpstream, 'baseUrl'>): string =>
  door.type === 'anthropic' || door.type === 'gemini' ? mock.baseUrl : `${mock.baseUrl}/v1`

/** The mock as a config names it: its key is not looked at. */
export const mockProvider = (
  mock: Pick<MockUpstream, 'baseUrl'>,
  {
    type = 'openai-chat',
    models = { 'mock-model': {} },
  }: { type?: ProviderType; models?: Record<string, Record<string, unknown>> } = {},
) => ({
  type,
  baseUrl: baseUrlOf({ type }, mock),
  keys: [{ alias: 'main', value: 'mock-key' }],
  models,
})

/** One provider per protocol, all of them the same mock; every request finds its own. */
export const providersFor = (
  mock: Pick<MockUpstream, 'baseUrl'>,
  key = 'sk-upstream',
  of: readonly TestEntry[] = bodyEntries,
): ConfigInput => ({
  providers: Object.fromEntries(
    of.map((door) => [
      door.entry,
      {
        type: door.type,
        baseUrl: baseUrlOf(door, mock),
        keys: [{ alias: 'main', value: key }],
        models: { 'm-1': {} },
      },
    ]),
  ),
  // no routes: a request goes to the provider of its own protocol that lists its model
})

/** One provider, the mock over Chat, and every request goes to it. */
export const routedTo = (mock: Pick<MockUpstream, 'baseUrl'>, name = 'chat'): ConfigInput => ({
  providers: {
    [name]: mockProvider(mock),
  },
  routes: { default: [`${name}.mock-model`] },
})

/** A request of that protocol with these user and assistant texts in turn. */
export const bodyOf = (door: TestEntry, texts: readonly string[], more: Record<string, unknown> = {}): string =>
  JSON.stringify(
    door.entry === 'gemini'
      ? {
          contents: texts.map((text, i) => ({ role: i % 2 === 0 ? 'user' : 'model', parts: [{ text }] })),
          ...more,
          stream: undefined,
        }
      : {
          model: 'm-1',
          ...door.more,
          [door.list]: texts.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content })),
          ...more,
        },
  )
