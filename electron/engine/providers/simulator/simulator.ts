import { createHash } from 'node:crypto'
import type { EntryProtocol } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
import { errorName } from '../../protocol/error-names.ts'
import { geminiStreamForm, readGeminiPath } from '../../protocol/gemini/path.ts'
import type { Transport, UpstreamRequest } from '../types.ts'
import { speakChat } from './chat.ts'
import { readFacts, textOf, tokensOf, record, type Facts } from './facts.ts'
import { speakGemini } from './gemini.ts'
import { speakMessages } from './messages.ts'
import { play, type Performance } from './play.ts'
import { replyTo, type Reply } from './reply.ts'
import { speakResponses } from './responses.ts'
import { parseScenario, replyFrom } from './scenario.ts'
import { asList, type Spoken } from './spoken.ts'

export interface SimulatorOptions {
  clock: Clock
  /** a scenario file below the Onward home; null when there is none. @throws OnwardError for a path that leaves it */
  readScenario(path: string): Promise<string | null>
}

/** How many counted errors (`x2`) are remembered. */
const MOST_COUNTED = 1000

interface Place {
  provider: string
  scenario: string | null
  path: string
  query: string
}

/**
 * The built-in upstream for `simulator:` addresses: deterministic, offline, every protocol. It says that it is a
 * simulator.
 */
export function simulatorTransport(options: SimulatorOptions): Transport {
  const errorsGiven = new Map<string, number>()

  /** true while a counted error is still to be given at this place of the conversation */
  const errorDue = (reply: Reply, place: Place, facts: Facts): boolean => {
    if (!reply.error) return false
    if (reply.error.times === null) return true
    const key = fingerprintOf(`${place.provider}\0${place.scenario}\0${facts.turn}\0${facts.userText}`)
    const given = errorsGiven.get(key) ?? 0
    if (given >= reply.error.times) return false
    if (errorsGiven.size >= MOST_COUNTED) errorsGiven.clear()
    errorsGiven.set(key, given + 1)
    return true
  }

  const generate = async (
    protocol: EntryProtocol,
    place: Place,
    bytes: Buffer,
    beside?: { model: string; stream: boolean; form: 'sse' | 'json-array' | null },
  ): Promise<Performance> => {
    const fingerprint = fingerprintOf(bytes)
    const body = parsed(bytes)
    if (body === undefined)
      return whole(
        400,
        refusal(protocol, 400, 'The simulator could not read the request: its body is not JSON.', fingerprint),
      )
    const facts = readFacts(protocol, body, bytes.length, beside)
    const reply = place.scenario === null ? replyTo(facts) : replyFrom(await scenario(place.scenario), facts)
    if (reply.hang) return { status: 200, headers: {}, pieces: [], waitMs: 0, gapMs: 0, ending: 'never' }
    if (reply.error && errorDue(reply, place, facts)) {
      const { status, retryAfter } = reply.error
      const refused = whole(
        status,
        refusal(protocol, status, `The simulator answers with ${status}, as asked.`, fingerprint),
      )
      return {
        ...refused,
        waitMs: reply.waitMs,
        headers: { ...refused.headers, ...(retryAfter === null ? {} : { 'retry-after': String(retryAfter) }) },
      }
    }
    const spoken = speak[protocol](reply, { facts, fingerprint, created: Math.floor(options.clock.now() / 1000) })
    return facts.stream
      ? streamed(beside?.form === 'json-array' ? asList(spoken) : spoken, reply)
      : unstreamed(spoken, reply, protocol, fingerprint)
  }

  const scenario = async (path: string) => {
    const text = await options.readScenario(path)
    if (text === null)
      throw new OnwardError('bad-scenario', `The simulator's scenario ${path} does not exist below the Onward home.`)
    return parseScenario(path, text)
  }

  const answer = async (request: UpstreamRequest): Promise<Performance> => {
    const place = placeOf(request.url)
    const bytes =
      request.body === null
        ? Buffer.alloc(0)
        : Buffer.isBuffer(request.body)
          ? request.body
          : Buffer.concat(request.body)
    const gemini = request.method === 'POST' ? readGeminiPath(place.path + place.query) : null
    if (gemini?.method === 'countTokens') return whole(200, { totalTokens: tokensOf(bytes.length) })
    if (gemini) {
      const form = geminiStreamForm(gemini)
      return generate('gemini', place, bytes, { model: gemini.model, stream: form !== null, form })
    }
    switch (`${request.method} ${place.path}`) {
      case 'POST /v1/chat/completions':
        return generate('chat', place, bytes)
      case 'POST /v1/responses':
        return generate('responses', place, bytes)
      case 'POST /v1/messages':
        return generate('messages', place, bytes)
      case 'POST /v1/messages/count_tokens':
        return whole(200, { input_tokens: tokensOf(bytes.length) })
      case 'POST /v1/responses/compact':
        return whole(200, compacted(parsed(bytes), fingerprintOf(bytes), options.clock.now()))
      case 'GET /v1/models':
        return whole(200, listModels('anthropic-version' in request.headers))
      case 'GET /v1beta/models':
        return whole(200, geminiModels())
      default:
        return whole(
          404,
          refusal(
            'anthropic-version' in request.headers ? 'messages' : 'chat',
            404,
            `The simulator has no ${request.method} ${place.path}.`,
            fingerprintOf(bytes),
          ),
        )
    }
  }

  return {
    send: (request, handler) => play(options.clock, () => answer(request), handler),
    dispose: async () => {
      errorsGiven.clear()
    },
  }
}

const speak = { chat: speakChat, responses: speakResponses, messages: speakMessages, gemini: speakGemini } as const

const fingerprintOf = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex').slice(0, 16)

function placeOf(url: string): Place {
  const [, provider = '', scenario, path = '', query = ''] =
    /^simulator:\/\/([^/]*)(?:\/~([^/]*))?(\/[^?]*)(\?.*)?/.exec(url) ?? []
  return { provider, scenario: scenario === undefined ? null : decodeURIComponent(scenario), path, query }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const marked = { 'x-simulator': 'Onward' }

function whole(status: number, json: unknown): Performance {
  return {
    status,
    headers: { 'content-type': 'application/json', ...marked },
    pieces: [Buffer.from(JSON.stringify(json))],
    waitMs: 0,
    gapMs: 0,
    ending: 'end',
  }
}

function streamed(spoken: Spoken, reply: Reply): Performance {
  const body = spoken.events.length - spoken.closing
  const half = Math.ceil(body / 2)
  const events =
    reply.cut === null
      ? spoken.events
      : reply.cut === 'no end'
        ? spoken.events.slice(0, body)
        : reply.cut === 'break off'
          ? spoken.events.slice(0, half)
          : [...spoken.events.slice(0, half), spoken.errorEvent(half)]
  return {
    status: 200,
    headers: {
      'content-type': spoken.contentType ?? 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      ...marked,
    },
    pieces: events.map((event) => Buffer.from(event)),
    waitMs: reply.waitMs,
    gapMs: reply.gapMs,
    ending: reply.cut === 'break off' ? 'break off' : 'end',
  }
}

function unstreamed(spoken: Spoken, reply: Reply, protocol: EntryProtocol, fingerprint: string): Performance {
  if (reply.cut === 'error event')
    return {
      ...whole(500, refusal(protocol, 500, 'The simulator failed, as asked.', fingerprint)),
      waitMs: reply.waitMs,
    }
  const full = whole(200, spoken.json)
  const half = full.pieces.map((piece) => piece.subarray(0, Math.ceil(piece.length / 2)))
  return {
    ...full,
    pieces: reply.cut === null ? full.pieces : half,
    waitMs: reply.waitMs,
    ending: reply.cut === 'break off' ? 'break off' : 'end',
  }
}

/** `/responses/compact` returns all user messages and one compaction item. */
function compacted(body: unknown, fingerprint: string, now: number): unknown {
  const input = record(body)['input']
  const users = (Array.isArray(input) ? input : []).map(record).filter((item) => item['role'] === 'user')
  const output = [
    ...users.map((item, i) => ({
      id: `msg_sim_${fingerprint}_${i}`,
      type: 'message',
      role: 'user',
      status: 'completed',
      content: [{ type: 'input_text', text: textOf(item['content']) }],
    })),
    { id: `cmp_sim_${fingerprint}`, type: 'compaction', encrypted_content: `simulated-compaction-${fingerprint}` },
  ]
  const tokens = tokensOf(JSON.stringify(body ?? null).length)
  return {
    id: `resp_sim_${fingerprint}`,
    object: 'response.compaction',
    created_at: Math.floor(now / 1000),
    output,
    usage: {
      input_tokens: tokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: tokens + 1,
    },
  }
}

export const simulatorModels = ['simulator', 'simulator-small'] as const

/** Returns the model list in the shape of the client's vendor. */
function listModels(anthropic: boolean): unknown {
  const since = '2026-01-01T00:00:00Z'
  if (!anthropic)
    return {
      object: 'list',
      data: simulatorModels.map((id) => ({
        id,
        object: 'model',
        created: Date.parse(since) / 1000,
        owned_by: 'onward-simulator',
      })),
    }
  return {
    data: simulatorModels.map((id) => ({ type: 'model', id, display_name: `Onward ${id}`, created_at: since })),
    has_more: false,
    first_id: simulatorModels[0],
    last_id: simulatorModels.at(-1),
  }
}

const geminiModels = (): unknown => ({
  models: simulatorModels.map((id) => ({
    name: `models/${id}`,
    version: '001',
    displayName: `Onward ${id}`,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  })),
})

const openaiTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'invalid_request_error',
  429: 'rate_limit_error',
}

/** Returns an HTTP error's body as the vendor of that protocol words it. */
function refusal(protocol: EntryProtocol, status: number, message: string, fingerprint: string): unknown {
  if (protocol === 'messages')
    return {
      type: 'error',
      error: { type: errorName('anthropic', status), message },
      request_id: `req_sim_${fingerprint}`,
    }
  if (protocol === 'gemini') return { error: { code: status, message, status: errorName('google', status) } }
  return {
    error: {
      message,
      type: openaiTypes[status] ?? 'server_error',
      param: null,
      code: status === 429 ? 'rate_limit_exceeded' : status === 404 ? 'not_found' : null,
    },
  }
}
