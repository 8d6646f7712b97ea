/**
 * Asks providers of this engine for others that have no key of them (providers/via/borrow.ts is their side). Choice of
 * the key, health and policy are this engine's; bytes go through as they are.
 */
import { refusalOf } from '../../../../shared/policy/apply.ts'
import type { TurnRecord } from '../../../../shared/state.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import type { Redactor } from '../../secrets/redact.ts'
import type { ConfigHandle } from '../../config/types.ts'
import { readGeminiPath } from '../../protocol/gemini/path.ts'
import { codecOf } from '../../protocol/index.ts'
import { prepareUpstream } from '../../providers/prepare.ts'
import type { Transport, UpstreamCall, UpstreamHandler } from '../../providers/types.ts'
import { decode, encode, frameHead, pieces, roomBytes, type Ask, type Frame } from '../../providers/via/frames.ts'
import type { Line } from '../../providers/via/line.ts'
import type { Router } from '../../router/create-router.ts'
import { providerProtocol } from '../../router/prepared.ts'
import type { RouteAsk, RouteChoice, Tried } from '../../router/types.ts'
import { redactErrors } from '../send/attempt.ts'
import { noOverrides } from '../turn.ts'

export interface LendDeps {
  clock: Clock
  random: Pick<Random, 'uuid'>
  log: Log
  config: Pick<ConfigHandle, 'current' | 'key'>
  transport: Transport
  router: Pick<Router, 'choose' | 'hasRoute' | 'report'>
  /** takes out the secrets that this engine knows, and those in these headers */
  redactor(headers: Readonly<Record<string, string>>): Redactor
  addRecord(record: TurnRecord): void
  /** it takes no calls: it ends, or its config can't be read */
  closed(): boolean
}

export interface Lending {
  /** until the line is lost, which ends its calls */
  serve(line: Line): void
  /** calls that are under way */
  open(): number
  /** hears of the end of each call */
  onEnded(listener: () => void): void
}

/** Of an error's body, for the time at which a limit lifts. */
const errorTextBytes = 16_384
/** The key was refused or is at its limit: another one of the provider may do. */
const ofTheKey: ReadonlySet<number> = new Set([401, 402, 403, 429])

export function createLending(deps: LendDeps): Lending {
  let open = 0
  const listeners: (() => void)[] = []
  return {
    open: () => open,
    onEnded: (listener) => void listeners.push(listener),
    serve(line) {
      const calls = new Map<number, (frame: Frame) => void>()
      line.onMessage((message) => {
        const frame = decode(message)
        if (!frame) return
        if (frame.kind !== 'ask' || calls.has(frame.call)) return calls.get(frame.call)?.(frame)
        open += 1
        const over = () => {
          calls.delete(frame.call)
          open -= 1
          for (const listener of listeners) listener()
        }
        calls.set(frame.call, lentCall(deps, frame.is, line, frame.call, over))
        calls.get(frame.call)?.({ kind: 'data', call: frame.call, bytes: Buffer.alloc(0) })
      })
      void line.lost.then(() => {
        for (const [call, take] of calls) take({ kind: 'leave', call, whole: false })
      })
    },
  }
}

/** @returns what takes the other's words about this call; its request is sent once all of it is here */
function lentCall(deps: LendDeps, ask: Ask, line: Line, call: number, over: () => void): (frame: Frame) => void {
  const { clock, log } = deps
  const since = clock.monotonic()
  const received: Buffer[] = []
  let bytes = 0
  let owed = 0
  let asked = false
  let upstream: UpstreamCall | null = null
  let held = false
  let last: Frame | null = null
  let done = false
  let left: 'early' | 'whole' | null = null
  const say = (frame: Frame) => line.send(encode(frame))
  const out = pieces((piece) => say({ kind: 'data', call, bytes: piece }), line.most - frameHead)
  const finish = (frame: Frame | null) => {
    if (done) return
    last = frame
    if (frame !== null && !out.isGone()) return
    done = true
    if (frame) say(frame)
    over()
  }
  const failed = (error: OnwardError) => {
    const { code, status, retryable, details } = error
    const message = deps.redactor({}).text(error.message)
    finish({ kind: 'error', call, is: { code, message, status, retryable, details } })
  }
  const answer: LentAnswer = {
    head: (status, headers) => say({ kind: 'head', call, is: { status, headers } }),
    data(chunk) {
      out.add(chunk)
      held = !out.isGone()
      return out.isGone()
    },
    end: (error) => (error ? failed(error) : finish({ kind: 'end', call })),
    uses: (given) => (upstream = given),
    left: () => left,
  }
  const start = () => {
    asked = true
    try {
      sendLent(deps, ask, Buffer.concat(received), since, answer)
    } catch (error) {
      if (!OnwardError.isInstance(error)) log.error({ error: messageOf(error) }, 'a call of another engine failed')
      failed(OnwardError.isInstance(error) ? error : new OnwardError('internal', 'The engine failed there.'))
    }
    received.length = 0
  }
  return (frame) => {
    if (done) return
    switch (frame.kind) {
      case 'data':
        if (asked) return
        received.push(frame.bytes)
        bytes += frame.bytes.length
        owed += frame.bytes.length
        if (bytes > deps.config.current().server.maxBodyBytes) return failed(tooLarge())
        if (bytes >= ask.bytes) return start()
        if (owed < roomBytes) return
        say({ kind: 'room', call, bytes: owed })
        owed = 0
        return
      case 'room':
        out.room(frame.bytes)
        if (!out.isGone()) return
        if (last) return finish(last)
        if (!held) return
        held = false
        return upstream?.resume()
      case 'leave':
        out.drop()
        left = frame.whole ? 'whole' : 'early'
        if (frame.whole) upstream?.dump()
        else upstream?.abort()
        return finish(null)
      default:
    }
  }
}

const bodyPaths: Readonly<Record<Exclude<RouteAsk['entry'], 'gemini'>, RegExp>> = {
  chat: /^\/v1\/chat\/completions$/,
  responses: /^\/v1\/responses(?:(?:\/[^/]+)?\/compact|\/input_tokens)?$/,
  messages: /^\/v1\/messages(?:\/count_tokens)?$/,
}

/** A key opens more at its vendor, such as files, batches and what an organisation is billed: none of that is lent. */
function isLent(entry: RouteAsk['entry'], method: Ask['method'], path: string): boolean {
  const [pathname = ''] = path.split('?', 1)
  if (method === 'GET') return /^\/v1(?:alpha|beta)?\/models$/.test(pathname)
  return entry === 'gemini' ? readGeminiPath(path) !== null : bodyPaths[entry].test(pathname)
}

interface LentAnswer {
  head(status: number, headers: Record<string, string | string[]>): void
  /** false: a word of room resumes */
  data(chunk: Buffer): boolean
  end(error: OnwardError | null): void
  uses(call: UpstreamCall): void
  /** nobody waits for it any more; `whole`: they had all of it */
  left(): 'early' | 'whole' | null
}

/** Sends the request to the provider of that name. @throws OnwardError why it is not lent, or can't be asked now */
function sendLent(deps: LendDeps, ask: Ask, body: Buffer, since: number, answer: LentAnswer): void {
  const { clock, router } = deps
  const { provider: id, type, method, path, headers, timeouts, from } = ask
  const { provider, key } = lentProvider(deps, ask)
  const entry = providerProtocol(provider.type) ?? providerProtocol(type) ?? 'chat'
  if (!isLent(entry, method, path))
    throw new OnwardError('bad-request', 'Only calls of models are lent, and the list of them.', {
      status: 400,
      details: { provider: id, path },
    })
  // A list of models names none, and goes past the router as it does for this engine's own tests.
  const routed = method === 'POST' ? routeAsk(`lent_${deps.random.uuid()}`, id, entry, body, path) : null
  const tried: Tried[] = []

  const go = (choice: RouteChoice | null) => {
    let headAt: number | null = null
    let status = 0
    let of: Record<string, string | string[]> = {}
    let said = Buffer.alloc(0)
    let bytesOut = 0
    /** another key is asked, and this refusal is kept from the one that asked */
    let again = false
    const request = prepareUpstream({
      providerId: id,
      provider,
      type: provider.type,
      key: choice ? choice.key : key,
      method,
      path,
      clientHeaders: headers,
      isLocalKey: () => false,
      body: method === 'POST' ? body : null,
      timeouts,
    })
    const ended = (error: OnwardError | null) => {
      const left = answer.left()
      const brokenOff = error !== null && left !== 'whole'
      const ttfbMs = headAt === null ? null : headAt - since
      if (choice && routed) {
        const text = status >= 400 ? said.toString('utf8') : null
        const facts = { status, headers: of, body: text, ttfbMs, brokenOff }
        if (left === 'early') router.report(routed, choice, { kind: 'left' })
        else if (headAt === null)
          router.report(routed, choice, { kind: 'unreachable', code: error?.code ?? 'internal' })
        else router.report(routed, choice, { kind: 'answered', ...facts })
        deps.addRecord({
          requestId: routed.requestId,
          at: clock.now(),
          sessionId: null,
          scope: null,
          client: 'other',
          entry,
          kind: 'aside',
          model: choice.upstreamModel,
          route: choice.fact,
          status: headAt === null ? (error?.status ?? 502) : status,
          finish: left === 'early' || brokenOff ? 'broken-off' : status >= 400 ? 'error' : 'stop',
          usage: null,
          costUsd: null,
          ttfbMs: ttfbMs === null ? null : Math.round(ttfbMs),
          durationMs: Math.round(clock.monotonic() - since),
          bytesIn: body.length,
          bytesOut,
          error: brokenOff && left === null ? { code: error.code, message: error.message } : null,
          lentTo: from,
        })
        if (again && left === null) {
          tried.push({ choice, failure: String(status) })
          return go(router.choose(routed, tried))
        }
      }
      answer.end(error)
    }
    const handler: UpstreamHandler = {
      onHead(given, headersOf) {
        headAt = clock.monotonic()
        status = given
        of = headersOf
        again =
          choice !== null &&
          routed !== null &&
          ofTheKey.has(status) &&
          router.hasRoute(routed, [...tried, { choice, failure: String(status) }])
        if (choice && routed && status < 400) router.report(routed, choice, { kind: 'began' })
        if (!again) answer.head(status, headersOf)
      },
      onData(chunk) {
        bytesOut += chunk.length
        if (status >= 400 && said.length < errorTextBytes) said = Buffer.concat([said, chunk])
        return again || answer.data(chunk)
      },
      onEnd: () => ended(null),
      onError: (error) => ended(again ? null : error),
    }
    answer.uses(
      deps.transport.send(
        request,
        redactErrors(handler, () => deps.redactor(request.headers)),
      ),
    )
  }
  go(routed && router.choose(routed))
}

/** @throws OnwardError `via-…`, `held-by-policy` */
function lentProvider({ config, closed }: LendDeps, { provider: id, type, method }: Ask) {
  const { providers, held } = config.current()
  const provider = Object.hasOwn(providers, id) ? providers[id] : undefined
  const refuse = (code: string, message: string, status = 403): never => {
    throw new OnwardError(code, message, { status, details: { provider: id } })
  }
  if (closed()) return refuse('via-away', 'The engine takes no calls now: it ends, or its config can’t be read.', 503)
  if (!provider)
    return refuse('via-missing', `There is no provider “${id}” there. Add it there, by the same name.`, 404)
  if (provider.lend !== true)
    return refuse(
      'via-not-lent',
      `${id} is not lent there. Write "lend": true into that provider, in the config there.`,
    )
  if (provider.auth === 'client')
    return refuse('via-no-key', `${id} takes the login of each client there, and has no key to lend.`)
  if (provider.type !== type && provider.type !== 'simulator')
    return refuse(
      'via-other-type',
      `${id} is ${provider.type} there, and ${type} here. Write "type": "${provider.type}" for it here.`,
      400,
    )
  const by = refusalOf(held, id, provider, null)
  if (by) return refuse('held-by-policy', `The policy of ${by.organisation ?? by.source} does not allow ${id}.`, 400)
  const [first] = method === 'GET' ? provider.keys : []
  const found = first ? config.key(id, first.alias) : null
  return { provider, key: found?.ok ? { value: found.value } : null }
}

/** The model that the bytes name is the one that policy and key are chosen for. */
function routeAsk(requestId: string, id: string, entry: RouteAsk['entry'], body: Buffer, path: string): RouteAsk {
  const codec = codecOf(entry)
  const lens = codec.read(body, path)
  return {
    requestId,
    entry,
    endpoint: 'generate',
    kind: 'aside',
    model: lens.model,
    sessionId: null,
    overrides: { ...noOverrides, force: `${id}.${lens.model ?? ''}` },
    needs: codec.needs(lens, path),
    credential: () => null,
  }
}

const tooLarge = (): OnwardError =>
  new OnwardError('too-large', 'The request is larger than server.maxBodyBytes allows there.', { status: 413 })
