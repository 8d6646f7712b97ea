/** What a real provider would refuse, or must never see. Every finding is a sentence in `mock.problems`. */
import { checkChat } from './check-chat.ts'
import { checkGemini } from './check-gemini.ts'
import { checkCount, checkMessages } from './check-messages.ts'
import { checkCompact, checkResponses } from './check-responses.ts'
import type { MockRequest } from './types.ts'

export function checkRequest(request: MockRequest, ownHost: string): string[] {
  return [...checkEnvelope(request, ownHost), ...checkBody(request)]
}

/** Names the machine or the session to a provider that has no business knowing it. */
const internalHeader = /^(?:x-onward-|x-rcc-|x-routecodex-|x-tmux-)/

function checkEnvelope(request: MockRequest, ownHost: string): string[] {
  const { headers, endpoint } = request
  const found: string[] = []
  if (headers['host'] !== ownHost) found.push(`host is "${headers['host']}", not "${ownHost}"`)
  for (const name of Object.keys(headers)) if (internalHeader.test(name)) found.push(`header ${name} was not taken off`)
  const key = headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers['authorization']
  if (/[?&]key=/.test(request.query)) found.push('the query holds a key')
  if (key === undefined) found.push('no credential')
  else if (key.includes('::rcc-')) found.push('the key still has its ::rcc- suffix')
  if (endpoint === 'models' || endpoint === 'other') return found
  if (request.method !== 'POST') found.push(`method ${request.method}`)
  if (!/^application\/json(?:;|$)/.test(headers['content-type'] ?? ''))
    found.push(`content-type is "${headers['content-type']}"`)
  if (headers['content-encoding'] !== undefined) found.push('content-encoding on a request')
  const length = headers['content-length']
  if (length === undefined ? headers['transfer-encoding'] === undefined : Number(length) !== request.body.length)
    found.push('content-length does not fit the body')
  // Without it Google streams one JSON list.
  if (endpoint === 'gemini' && request.stream && !request.query.includes('alt=sse'))
    found.push('a stream without alt=sse')
  if ((endpoint === 'messages' || endpoint === 'count') && headers['anthropic-version'] === undefined)
    found.push('no anthropic-version')
  return found
}

function checkBody({ endpoint, json, body }: MockRequest): string[] {
  if (endpoint === 'models' || endpoint === 'other') return []
  if (json === undefined) return ['the body is no JSON']
  if (!Buffer.from(body.toString('utf8')).equals(body)) return ['the body is no UTF-8']
  switch (endpoint) {
    case 'chat':
      return checkChat(json)
    case 'responses':
      return checkResponses(json)
    case 'compact':
      return checkCompact(json)
    case 'messages':
      return checkMessages(json)
    case 'gemini':
      return checkGemini(json)
    case 'gemini-count':
      return []
    case 'count':
      return checkCount(json)
  }
}
