import type { IncomingMessage } from 'node:http'
import { auxiliaryKind } from './auxiliary.ts'
import { at } from './json-path.ts'
import { lastUserText, systemText } from './request-texts.ts'
import type { Endpoint, MockRequest, Outcome } from './types.ts'

const endpoints: readonly (readonly [RegExp, Endpoint])[] = [
  [/^(?:\/v1)?\/chat\/completions$/, 'chat'],
  [/^(?:\/v1)?\/responses$/, 'responses'],
  [/^(?:\/v1)?\/responses\/(?:[^/]+\/)?compact$/, 'compact'],
  [/^(?:\/v1)?\/messages$/, 'messages'],
  [/^(?:\/v1)?\/messages\/count_tokens$/, 'count'],
  [/^\/v1(?:beta)?\/models\/.+:(?:stream)?[gG]enerateContent$/, 'gemini'],
  [/^\/v1(?:beta)?\/models\/.+:countTokens$/, 'gemini-count'],
  [/^(?:\/v1)?\/models$/, 'models'],
]

export interface Recording {
  request: MockRequest
  end(outcome: Outcome): void
}

/** Makes a record of a request that was read whole. */
export function recordRequest(req: IncomingMessage, body: Buffer, n: number, connection: number): Recording {
  const [path = '', search] = (req.url ?? '').split('?', 2)
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(req.headers))
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  const endpoint = endpoints.find(([form]) => form.test(path))?.[1] ?? 'other'
  const json = parsed(body)
  const text = lastUserText(endpoint, json)
  let settle: (outcome: Outcome) => void = () => undefined
  const over = new Promise<Outcome>((resolve) => {
    settle = resolve
  })
  const request: MockRequest = {
    n,
    connection,
    path,
    headers,
    body,
    json,
    endpoint,
    over,
    method: req.method ?? '',
    query: search === undefined ? '' : `?${search}`,
    rawHeaders: req.rawHeaders,
    stream: at(json, 'stream') === true || path.endsWith(':streamGenerateContent'),
    model: modelOf(path, json),
    auxiliary: auxiliaryKind({ endpoint, headers, json, systemText: systemText(endpoint, json), lastUserText: text }),
    lastUserText: text,
    outcome: null,
  }
  return {
    request,
    end(outcome) {
      request.outcome = outcome
      settle(outcome)
    },
  }
}

function modelOf(path: string, json: unknown): string | null {
  const [, named] = /^\/v1(?:beta)?\/models\/(.+):[A-Za-z]+$/.exec(path) ?? []
  const model = named === undefined ? at(json, 'model') : decodeURIComponent(named)
  return typeof model === 'string' ? model : null
}

function parsed(body: Buffer): unknown {
  if (body.length === 0) return undefined
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
