/** The three entry protocols as tests go in by them, each with the provider type that speaks the same. */
import type { ConfigInput, ProviderType } from '../../shared/config/schema.ts'
import type { EntryProtocol } from '../../shared/words.ts'
import type { MockUpstream } from './mock-upstream/index.ts'

export interface TestDoor {
  entry: EntryProtocol
  type: ProviderType
  path: string
  headers: Readonly<Record<string, string>>
  /** the member that holds the conversation */
  list: 'messages' | 'input'
  /** members a provider insists on */
  more: Readonly<Record<string, unknown>>
  /** type of a text part of a user message */
  textPart: 'text' | 'input_text'
  /** an event after which a stream is whole; without it a stream counts as broken off, and is told so */
  lastEvent: string
}

export const chatDoor: TestDoor = { entry: 'chat', type: 'openai-chat', path: '/v1/chat/completions', headers: {}, list: 'messages', more: {}, textPart: 'text', lastEvent: 'data: [DONE]\n\n' }
export const responsesDoor: TestDoor = { entry: 'responses', type: 'openai-responses', path: '/v1/responses', headers: {}, list: 'input', more: {}, textPart: 'input_text', lastEvent: 'data: {"type":"response.completed" , "response":{}}\n\n' }
export const messagesDoor: TestDoor = { entry: 'messages', type: 'anthropic', path: '/v1/messages', headers: { 'anthropic-version': '2023-06-01' }, list: 'messages', more: { max_tokens: 100 }, textPart: 'text', lastEvent: 'event: message_stop\ndata: {"type": "message_stop"}\n\n' }
export const doors: readonly TestDoor[] = [chatDoor, responsesDoor, messagesDoor]

/** One provider per protocol, all of them the same mock; every request finds its own. */
export const providersFor = (mock: Pick<MockUpstream, 'baseUrl'>, key = 'sk-upstream'): ConfigInput => ({
  providers: Object.fromEntries(doors.map((door) => [door.entry, {
    type: door.type,
    baseUrl: door.type === 'anthropic' ? mock.baseUrl : `${mock.baseUrl}/v1`,
    keys: [{ alias: 'main', value: key }],
    models: { 'm-1': {} },
  }])),
  routes: { default: doors.map((door) => `${door.entry}.m-1`) },
})

/** A request of that protocol with these user and assistant texts in turn. */
export const bodyOf = (door: TestDoor, texts: readonly string[], more: Record<string, unknown> = {}): string =>
  JSON.stringify({ model: 'm-1', ...door.more, [door.list]: texts.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content })), ...more })
