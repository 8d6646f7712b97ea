/** The conversation as providers got it, request by request: it may only grow. */
import { expect } from 'vitest'
import { elementsOf } from '../../electron/engine/protocol/json-bytes/walk.ts'
import { at } from './mock-upstream/json-path.ts'
import { withoutTimeTag } from './mock-upstream/time-tag.ts'
import type { MockRequest } from './mock-upstream/index.ts'

const listNames = { responses: 'input', chat: 'messages', messages: 'messages', gemini: 'contents' } as const

/** Each element of it in the bytes it came in, without the time, which is told behind one request and no later one. */
export const conversationOf = ({ endpoint, body }: MockRequest): string[] =>
  conversationIn(listNames[endpoint as keyof typeof listNames], body)

export const conversationIn = (list: 'input' | 'messages' | 'contents', body: Buffer | string): string[] =>
  elementsOf(Buffer.from(body), list)
    .flatMap((element) => withoutTimeTag(element.toString('utf8')) ?? [])
    .map((json) => plainUser(withoutCacheMarks(json)))

/**
 * A user's one text stands by itself or in a list, as what else was said beside it wants it; the model reads the same.
 */
const plainUser = (json: string): string =>
  json.replace(/^(\{"role":"user","content":)\[\{"type":"(?:input_)?text","text":("(?:[^"\\]|\\.)*")\}\]\}$/, '$1$2}')

/** Marks of what to cache move on with the conversation; what is cached is the same without them. */
const withoutCacheMarks = (json: string): string =>
  json.includes('"cache_control"')
    ? JSON.stringify(JSON.parse(json), (name, value: unknown) => (name === 'cache_control' ? undefined : value))
    : json

export const toolsOf = ({ json }: MockRequest): string => JSON.stringify(at(json, 'tools') ?? null)

/** Each request begins with the whole of the one before it, byte for byte, and declares the same tools. */
export function expectOneHistory(requests: readonly MockRequest[]): void {
  for (const [i, request] of requests.entries()) {
    const before = requests[i - 1]
    if (!before) continue
    const was = conversationOf(before)
    expect(conversationOf(request).slice(0, was.length), `request ${request.n} goes on from ${before.n}`).toEqual(was)
    expect(toolsOf(request), `tools of request ${request.n}`).toBe(toolsOf(before))
  }
}

/** What the Responses API itself insists on: a reasoning item never stands without the item it led to. */
export function expectReasoningFollowed(request: MockRequest): void {
  const types = conversationOf(request).map((json) => String(at(JSON.parse(json), 'type')))
  for (const [i, type] of types.entries()) {
    if (type === 'reasoning')
      expect(['message', 'function_call', 'custom_tool_call'], `behind item ${i} of request ${request.n}`).toContain(
        types[i + 1],
      )
  }
}
