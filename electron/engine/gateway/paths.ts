/**
 * Which of the gateway's endpoints a request's path names. Pure; one Map lookup for every path a client really uses.
 */
import type { EntryProtocol } from '../../../shared/words.ts'
import { percentDecoded } from '../base/parse.ts'
import { readGeminiPath, writeGeminiPath } from '../protocol/gemini/path.ts'

export type Endpoint =
  | { kind: 'entry'; entry: EntryProtocol; endpoint: 'generate' | 'count' | 'compact'; path: string }
  | { kind: 'models'; id: string | null }
  /** what is recorded of one request */
  | { kind: 'turn'; requestId: string }
  | { kind: 'page'; page: 'root' | 'health' | 'ready' | 'hello' }
  /** for Prometheus, where the config has a key for it */
  | { kind: 'metrics' }
  /** other programs that ask over MCP */
  | { kind: 'mcp' }
  /** known to clients, not served here */
  | { kind: 'stored-response' }
  | { kind: 'gemini-operation' }
  | { kind: 'unknown' }

export interface Address {
  endpoint: Endpoint
  /** key of a `/t/<key>` prefix */
  urlKey: string | null
  /** `key` of the query, where Google's clients may put theirs; taken off, so that no provider and no log sees it */
  queryKey: string | null
  /** without the prefix and the query */
  path: string
  /** with its `?`, or empty; without `key` */
  query: string
}

const entries: readonly (readonly [path: string, entry: EntryProtocol, endpoint: 'generate' | 'count' | 'compact'])[] =
  [
    ['/chat/completions', 'chat', 'generate'],
    ['/responses', 'responses', 'generate'],
    ['/responses/compact', 'responses', 'compact'],
    ['/responses/input_tokens', 'responses', 'count'],
    ['/messages', 'messages', 'generate'],
    ['/messages/count_tokens', 'messages', 'count'],
  ]

// The prefix is missing or doubled when a person gave an Anthropic base URL with `/v1` or an OpenAI one without it:
// the Anthropic SDK adds `/v1` by itself, the OpenAI SDK and Codex do not.
const prefixes = ['/v1', '', '/v1/v1']

const doors = new Map<string, Endpoint>()
for (const prefix of prefixes) {
  for (const [path, entry, endpoint] of entries)
    doors.set(prefix + path, { kind: 'entry', entry, endpoint, path: `/v1${path}` })
  doors.set(`${prefix}/models`, { kind: 'models', id: null })
}
for (const [path, page] of [
  ['/', 'root'],
  ['/health', 'health'],
  ['/ready', 'ready'],
  ['/api/hello', 'hello'],
] as const)
  doors.set(path, { kind: 'page', page })
doors.set('/metrics', { kind: 'metrics' })

doors.set('/mcp', { kind: 'mcp' })

const ownModel = /^(?:\/v1){0,2}\/models\/([^:]+(?::[^:]+)*)$/
const geminiModels = /^(?:\/v1)?\/v1(?:alpha|beta)\/models(?:\/(.+))?$/
const geminiMethods =
  /:(?:embedContent|batchEmbedContents|asyncBatchEmbedContent|batchGenerateContent|predict|predictLongRunning|generateAnswer)$/
const recordedTurn = /^\/onward\/turns\/([^/]+)$/
const compactOfResponse = /^(?:\/v1){0,2}(\/responses\/[^/]+\/compact)$/
const storedResponse = /^(?:\/v1){0,2}\/responses\/./

export function addressOf(url: string): Address {
  const mark = url.indexOf('?')
  let path = mark < 0 ? url : url.slice(0, mark)
  const { key: queryKey, query } = takeKey(mark < 0 ? '' : url.slice(mark))
  let urlKey: string | null = null
  if (path.startsWith('/t/')) {
    const end = path.indexOf('/', 3)
    urlKey = percentDecoded(end < 0 ? path.slice(3) : path.slice(3, end))
    path = end < 0 ? '/' : path.slice(end)
  }
  const known = doors.get(path)
  if (known) return { endpoint: known, urlKey, queryKey, path, query }
  // A base URL with a closing slash gives `//v1/messages`.
  path = path.replace(/\/{2,}/g, '/')
  if (path.length > 1 && path.endsWith('/')) path = path.slice(0, -1)
  return { endpoint: doors.get(path) ?? rareDoor(path), urlKey, queryKey, path, query }
}

/** Splits the key off a query, which stays the same byte for byte otherwise. */
export function takeKey(query: string): { key: string | null; query: string } {
  if (query.length < 2) return { key: null, query }
  let key: string | null = null
  const kept = query
    .slice(1)
    .split('&')
    .filter((part) => {
      const [name = '', ...value] = part.split('=')
      if (percentDecoded(name) !== 'key') return true
      const text = value.join('=')
      key ??= percentDecoded(text.replaceAll('+', ' ')) ?? text
      return false
    })
    .join('&')
  return { key, query: key === null ? query : kept === '' ? '' : `?${kept}` }
}

function rareDoor(path: string): Endpoint {
  const gemini = readGeminiPath(path)
  if (gemini)
    return {
      kind: 'entry',
      entry: 'gemini',
      endpoint: gemini.method === 'countTokens' ? 'count' : 'generate',
      path: asWritten(path) ?? writeGeminiPath(gemini),
    }
  if (geminiMethods.test(path) || (/^(?:\/v1)?\/v1(?:alpha|beta)(?:\/|$)/.test(path) && !geminiModels.test(path)))
    return { kind: 'gemini-operation' }
  if (/^(?:\/v1)?\/v1(?:alpha|beta)\/models$/.test(path)) return { kind: 'models', id: null }
  const model = geminiModels.exec(path)?.[1] ?? ownModel.exec(path)?.[1]
  if (model !== undefined) {
    const id = percentDecoded(model)
    return id === null ? { kind: 'unknown' } : { kind: 'models', id }
  }
  const requestId = percentDecoded(recordedTurn.exec(path)?.[1] ?? '')
  if (requestId !== null && requestId !== '') return { kind: 'turn', requestId }
  const compact = compactOfResponse.exec(path)?.[1]
  if (compact !== undefined) return { kind: 'entry', entry: 'responses', endpoint: 'compact', path: `/v1${compact}` }
  return storedResponse.test(path) ? { kind: 'stored-response' } : { kind: 'unknown' }
}

/** A path that needs no repair goes up as it came, its percent-encoding included. */
const asWritten = (path: string): string | null =>
  /^\/v1(?:alpha|beta)?\/(?:models|tunedModels)\//.test(path) ? path : null
export type AskingClient = 'openai' | 'anthropic' | 'google'
