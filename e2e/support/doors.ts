/** The entry protocols as tests go in by them, each with the provider type that speaks the same. */
import type { ConfigInput, ProviderType } from '../../shared/config/schema.ts'
import type { EntryProtocol } from '../../shared/words.ts'
import type { MockUpstream } from './mock-upstream/index.ts'

export interface TestDoor {
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
export type BodyDoor = TestDoor & { entry: Exclude<EntryProtocol, 'gemini'> }

export const chatDoor: BodyDoor = {
  entry: 'chat',
  type: 'openai-chat',
  path: '/v1/chat/completions',
  headers: {},
  list: 'messages',
  more: {},
  textPart: 'text',
  lastEvent: 'data: [DONE]\n\n',
}
export const responsesDoor: BodyDoor = {
  entry: 'responses',
  type: 'openai-responses',
  path: '/v1/responses',
  headers: {},
  list: 'input',
  more: {},
  textPart: 'input_text',
  lastEvent: 'data: {"type":"response.completed" , "response":{}}\n\n',
}
export const messagesDoor: BodyDoor = {
  entry: 'messages',
  type: 'anthropic',
  path: '/v1/messages',
  headers: { 'anthropic-version': '2023-06-01' },
  list: 'messages',
  more: { max_tokens: 100 },
  textPart: 'text',
  lastEvent: 'event: message_stop\ndata: {"type": "message_stop"}\n\n',
}
export const doors: readonly BodyDoor[] = [chatDoor, responsesDoor, messagesDoor]

export const geminiDoor: TestDoor = {
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
export const allDoors: readonly TestDoor[] = [...doors, geminiDoor]

export const pathOf = (door: TestDoor, stream: boolean): string => (stream ? door.streamPath : undefined) ?? door.path
/** The provider's address as a config names it. */
export const baseUrlOf = (door: TestDoor, mock: Pick<MockUpstream, 'baseUrl'>): string =>
  door.type === 'anthropic' || door.type === 'gemini' ? mock.baseUrl : `${mock.baseUrl}/v1`

/** One provider per protocol, all of them the same mock; every request finds its own. */
export const providersFor = (
  mock: Pick<MockUpstream, 'baseUrl'>,
  key = 'sk-upstream',
  of: readonly TestDoor[] = doors,
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

/** A request of that protocol with these user and assistant texts in turn. */
export const bodyOf = (door: TestDoor, texts: readonly string[], more: Record<string, unknown> = {}): string =>
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
