import { auxiliaryText } from './auxiliary.ts'
import { chat } from './chat.ts'
import { deliverEvents, deliverJson, deliverRaw, type Out } from './deliver.ts'
import { gemini, listOfEvents } from './gemini.ts'
import { at } from './json-path.ts'
import { messages } from './messages.ts'
import { responses } from './responses.ts'
import { say } from './replies.ts'
import type { Endpoint, MockReply, MockRequest } from './types.ts'
import type { Wire, WireContext } from './wire.ts'

const wireOf: Readonly<Record<Endpoint, Wire>> = {
  chat,
  responses,
  messages,
  gemini,
  'gemini-count': gemini,
  count: messages,
  compact: responses,
  models: chat,
  other: chat,
}

const contextOf = ({ n, json, path }: MockRequest): WireContext => {
  const model = at(json, 'model') ?? modelOfPath(path)
  return {
    n,
    model: typeof model === 'string' ? model : 'mock-model',
    request: typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : {},
    nowMs: Date.now(),
  }
}
/** Gemini names the model there. */
const modelOfPath = (path: string): string | undefined => /\/models\/([^:]+):/.exec(path)?.[1]

const ids = ({ n, endpoint }: MockRequest): Record<string, string> =>
  endpoint === 'messages' || endpoint === 'count'
    ? { 'request-id': `req_mock${n}` }
    : { 'x-request-id': `req_mock${n}` }

/** Sends a scripted reply in the protocol the request came in. */
export async function respond(request: MockRequest, reply: MockReply, out: Out): Promise<void> {
  const wire = wireOf[request.endpoint]
  switch (reply.kind) {
    case 'answer': {
      const context = contextOf(request)
      if (request.endpoint === 'gemini' && request.stream && !request.query.includes('alt=sse')) {
        return deliverEvents(
          { ...reply, headers: { 'content-type': 'application/json; charset=UTF-8', ...reply.headers } },
          listOfEvents(wire.events(reply, context)),
          ids(request),
          out,
        )
      }
      if (reply.as === undefined ? request.stream : reply.as === 'stream')
        return deliverEvents(reply, wire.events(reply, context), ids(request), out)
      return deliverJson(wire.json(reply, context), reply, ids(request), out)
    }
    case 'error': {
      const body =
        reply.body ??
        JSON.stringify(wire.error(reply.status, reply.message ?? `the mock was told to fail with ${reply.status}`))
      out.res.writeHead(reply.status, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...ids(request),
        ...reply.headers,
      })
      return void out.res.end(body)
    }
    case 'raw':
      return deliverRaw(reply, out)
    case 'garbage': {
      out.brokenOff()
      return void out.res.socket?.end(reply.bytes)
    }
  }
}

/** What side requests get when the script does not ask for them. */
export async function respondAuxiliary(request: MockRequest, kind: string, out: Out): Promise<void> {
  const context = contextOf(request)
  if (request.endpoint === 'count')
    return deliverJson({ input_tokens: Math.max(1, Math.ceil(request.body.length / 4)) }, {}, ids(request), out)
  if (request.endpoint === 'gemini-count')
    return deliverJson({ totalTokens: Math.max(1, Math.ceil(request.body.length / 4)) }, {}, ids(request), out)
  if (request.endpoint === 'compact') {
    const { n, nowMs } = context
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 110,
    }
    return deliverJson(
      {
        id: `resp_mock${n}`,
        object: 'response.compaction',
        created_at: Math.floor(nowMs / 1000),
        output: [{ type: 'compaction', id: `cmp_mock${n}`, encrypted_content: `enc_mock${n}` }],
        usage,
      },
      {},
      ids(request),
      out,
    )
  }
  return respond(request, say(auxiliaryText(kind, request.json)), out)
}

export function modelsBody(names: readonly string[], anthropic: boolean): unknown {
  if (!anthropic)
    return {
      object: 'list',
      data: names.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'mock' })),
    }
  return {
    data: names.map((id) => ({ type: 'model', id, display_name: id, created_at: '2026-01-01T00:00:00Z' })),
    has_more: false,
    first_id: names[0] ?? null,
    last_id: names.at(-1) ?? null,
  }
}
