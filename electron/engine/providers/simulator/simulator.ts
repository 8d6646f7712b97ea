import { createHash } from 'node:crypto'
import type { EntryProtocol } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
import type { AnswerEvent } from '../../protocol/canonical/answer.ts'
import type { WriteContext } from '../../protocol/canonical/codec.ts'
import { conversionOf } from '../../protocol/conversions.ts'
import { errorName } from '../../protocol/failures/error-names.ts'
import { geminiStreamForm, readGeminiPath } from '../../protocol/gemini/path.ts'
import { codecOf } from '../../protocol/index.ts'
import { asObject } from '../../protocol/values.ts'
import type { Transport, UpstreamRequest } from '../types.ts'
import { answerEvents } from './answer.ts'
import { idsOf, readFacts, textOf, tokensOf, type Facts } from './facts.ts'
import { play, type Performance } from './play.ts'
import { replyTo, type Reply } from './reply.ts'
import { parseScenario, replyFrom } from './scenario.ts'

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
    isList = false,
  ): Promise<Performance> => {
    const fingerprint = fingerprintOf(bytes)
    const body = parsed(bytes)
    if (body === undefined)
      return refused(protocol, 400, 'The simulator could not read the request: its body is not JSON.', fingerprint)
    const codec = conversionOf[protocol]
    const asked = asObject(body) ?? {}
    const facts = readFacts(codec, asked, place.path + place.query, bytes.length)
    const reply = place.scenario === null ? replyTo(facts) : replyFrom(await scenario(place.scenario), facts)
    if (reply.hang) return { status: 200, headers: {}, pieces: [], waitMs: 0, gapMs: 0, ending: 'never' }
    if (reply.error && errorDue(reply, place, facts)) {
      const { status, retryAfter } = reply.error
      const answer = refused(protocol, status, `The simulator answers with ${status}, as asked.`, fingerprint)
      const headers = { ...answer.headers, ...(retryAfter === null ? {} : { 'retry-after': String(retryAfter) }) }
      return { ...answer, headers, waitMs: reply.waitMs }
    }
    const context: WriteContext = {
      model: facts.request.model,
      request: facts.request,
      asked,
      nowMs: options.clock.now(),
      newId: idsOf(facts, fingerprint),
      dropped: () => {},
    }
    if (facts.request.stream) {
      const writer = codec.writeStream(context)
      const events = answerEvents(reply, facts, protocol, fingerprint)
      const texts = events.map((event) => writer.write(event)).filter((text) => text !== '')
      return streamed(isList ? asList(texts, isEnd(events.at(-1))) : texts, isList, reply)
    }
    if (reply.cut === 'error event')
      return {
        ...refused(protocol, 500, 'The simulator failed, as asked.', fingerprint),
        waitMs: reply.waitMs,
      }
    const writer = codec.writeBody(context)
    for (const event of answerEvents({ ...reply, cut: null }, facts, protocol, fingerprint)) writer.add(event)
    return unstreamed(writer.body(), reply)
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
    if (gemini) return generate('gemini', place, bytes, geminiStreamForm(gemini) === 'json-array')
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
        return whole(200, compacted(bytes, options.clock.now()))
      case 'GET /v1/models':
        return whole(200, listModels('anthropic-version' in request.headers))
      case 'GET /v1beta/models':
        return whole(200, geminiModels())
      default:
        return refused(
          'anthropic-version' in request.headers ? 'messages' : 'chat',
          404,
          `The simulator has no ${request.method} ${place.path}.`,
          fingerprintOf(bytes),
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

const whole = (status: number, json: unknown): Performance => answered(status, Buffer.from(JSON.stringify(json)))

const answered = (status: number, body: Buffer): Performance => ({
  status,
  headers: { 'content-type': 'application/json', ...marked },
  pieces: [body],
  waitMs: 0,
  gapMs: 0,
  ending: 'end',
})

/** An HTTP error in the protocol's own shape. */
const refused = (protocol: EntryProtocol, status: number, message: string, fingerprint: string): Performance =>
  answered(
    status,
    codecOf(protocol).error({
      status,
      code: errorName('openai', status),
      message,
      requestId: `req_sim_${fingerprint}`,
    }),
  )

const isEnd = (event: AnswerEvent | undefined): boolean => event?.type === 'finish' || event?.type === 'error'

/** Returns the same stream as a JSON list that grows, as Gemini's API gives it without `alt=sse`. */
const asList = (events: readonly string[], isWhole: boolean): string[] =>
  events.map((event, i) => {
    const last = isWhole && i === events.length - 1
    return `${i === 0 ? '[' : ',\r\n'}${event.slice('data: '.length).trimEnd()}${last ? ']' : ''}`
  })

const streamed = (events: readonly string[], isList: boolean, reply: Reply): Performance => ({
  status: 200,
  headers: {
    'content-type': isList ? 'application/json; charset=UTF-8' : 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...marked,
  },
  pieces: events.map((event) => Buffer.from(event)),
  waitMs: reply.waitMs,
  gapMs: reply.gapMs,
  ending: reply.cut === 'break off' ? 'break off' : 'end',
})

function unstreamed(json: unknown, reply: Reply): Performance {
  const full = whole(200, json)
  const half = full.pieces.map((piece) => piece.subarray(0, Math.ceil(piece.length / 2)))
  return {
    ...full,
    pieces: reply.cut === null ? full.pieces : half,
    waitMs: reply.waitMs,
    ending: reply.cut === 'break off' ? 'break off' : 'end',
  }
}

/** `/responses/compact` returns all user messages and one compaction item. */
function compacted(bytes: Buffer, now: number): unknown {
  const fingerprint = fingerprintOf(bytes)
  const { request, inputTokens } = readFacts(conversionOf.responses, asObject(parsed(bytes)) ?? {}, '', bytes.length)
  const output = [
    ...request.messages
      .filter(({ role }) => role === 'user')
      .map(({ parts }, i) => ({
        id: `msg_sim_${fingerprint}_${i}`,
        type: 'message',
        role: 'user',
        status: 'completed',
        content: [{ type: 'input_text', text: textOf(parts) }],
      })),
    { id: `cmp_sim_${fingerprint}`, type: 'compaction', encrypted_content: `simulated-compaction-${fingerprint}` },
  ]
  return {
    id: `resp_sim_${fingerprint}`,
    object: 'response.compaction',
    created_at: Math.floor(now / 1000),
    output,
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + 1,
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
