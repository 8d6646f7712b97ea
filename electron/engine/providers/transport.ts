import { isAbsolute, join, normalize } from 'node:path'
import type { Duplex } from 'node:stream'
import type { Clock } from '../base/clock.ts'
import { OnwardError, messageOf } from '../base/errors.ts'
import { encodings, encodingsIn, unpacking } from '../base/network/unpack.ts'
import { simulatorTransport } from './simulator/simulator.ts'
import type { Transport, UpstreamCall, UpstreamHandler, UpstreamRequest } from './types.ts'
import { undiciTransport } from './undici/transport.ts'
import { simulatorScheme, viaScheme } from './prepare.ts'

export interface TransportOptions {
  clock: Clock
  env: Readonly<Record<string, string | undefined>>
  /** Onward home: scenario files lie below it */
  home: string
  files: { read(path: string): Promise<Buffer | null> }
  /** PEM certificates trusted in addition to the system's */
  ca?: string
}

/** The transport for every upstream: `simulator:` is built in, the rest goes over HTTP. Answers are uncompressed. */
export function transportFor(options: TransportOptions): Transport {
  const simulator = simulatorTransport({
    clock: options.clock,
    async readScenario(path) {
      const below = normalize(path)
      if (isAbsolute(below) || /^[A-Za-z]:/.test(below) || below.split(/[\\/]/).includes('..')) {
        throw new OnwardError('bad-scenario', `The simulator's scenario ${path} must be a path below the Onward home.`)
      }
      return (await options.files.read(join(options.home, below)))?.toString('utf8') ?? null
    },
  })
  const http = undiciTransport(options)
  return unpackedTransport({
    send: (request, handler) => (request.url.startsWith(simulatorScheme) ? simulator : http).send(request, handler),
    async dispose() {
      await Promise.all([simulator.dispose(), http.dispose()])
    },
  })
}

/** Sends what another engine asks (`via`) over a transport of its own, which is loaded with the first such request. */
export function withVia(transport: Transport, load: () => Promise<Transport>): Transport {
  let loading: Promise<Transport> | null = null
  let loaded: Transport | null = null
  const later = (request: UpstreamRequest, handler: UpstreamHandler): UpstreamCall => {
    let call: UpstreamCall | null = null
    let left = false
    const failed = (error: unknown) =>
      handler.onError(new OnwardError('via-away', `It can’t be asked through another engine: ${messageOf(error)}`))
    loading ??= load()
    loading.then((via) => {
      loaded = via
      if (left) handler.onError(new OnwardError('upstream-aborted', 'The request was aborted: the client left.'))
      else call = via.send(request, handler)
    }, failed)
    const leave = () => {
      left = true
      call?.abort()
    }
    return {
      abort: leave,
      dump: () => (call ? call.dump() : leave()),
      resume: () => call?.resume(),
      sending: () => call?.sending?.() ?? true,
      mayBeSilent: (ms) => call?.mayBeSilent?.(ms) ?? 0,
      longestSilence: () => call?.longestSilence?.() ?? 0,
    }
  }
  return {
    send: (request, handler) =>
      request.url.startsWith(viaScheme) ? later(request, handler) : transport.send(request, handler),
    endAll(error) {
      transport.endAll?.(error)
      loaded?.endAll?.(error)
    },
    // the one that was given is its owner's
    dispose: async () => loaded?.dispose(),
  }
}

/** Some servers encode twice; more layers than that are no honest answer. */
const mostLayers = 2

/**
 * Undoes the compression of servers and proxies that ignore `accept-encoding: identity`: the answer goes on as if it
 * had come plain, its headers too. A plain answer is not touched.
 */
export function unpackedTransport(transport: Transport): Transport {
  // Slots that are reused: a set that changes with every request leaves tables that keep calls from being collected.
  const open: (((error: OnwardError) => void) | null)[] = []
  const free: number[] = []
  let ended: OnwardError | null = null
  return {
    send(request, handler) {
      const at = free.pop() ?? open.length
      const unpacked = unpackedAnswer(handler, () => {
        open[at] = null
        free.push(at)
      })
      const end = (error: OnwardError) => {
        unpacked.over(error)
        call.abort()
      }
      open[at] = end
      const call = transport.send(request, unpacked.handler)
      unpacked.attach(call)
      if (ended) queueMicrotask(() => ended && end(ended))
      return {
        abort() {
          unpacked.leave()
          call.abort()
        },
        dump() {
          unpacked.leave()
          call.dump()
        },
        resume() {
          unpacked.resume()
          call.resume()
        },
        sending: () => call.sending?.() ?? false,
        mayBeSilent: (ms) => call.mayBeSilent?.(ms) ?? 0,
        longestSilence: () => call.longestSilence?.() ?? 0,
      }
    },
    endAll(error) {
      ended = error
      for (const end of open) end?.(error)
    },
    dispose: () => transport.dispose(),
  }
}

type Headers = Parameters<UpstreamHandler['onHead']>[1]

/** Returns null for a plain answer, or one in an unknown encoding. */
function namesIn(headers: Headers): string[] | null {
  if (headers['content-encoding'] === undefined) return null
  const names = encodingsIn(String(headers['content-encoding']))
  const isKnown = names.every((name) => (encodings as readonly string[]).includes(name))
  return names.length > 0 && names.length <= mostLayers && isKnown ? names : null
}

const isPlain = (names: readonly string[] | null, chunk: Buffer): boolean =>
  /^(?:x-)?gzip$/.test(names?.[0] ?? '') && chunk[0] !== 0x1f

/** `done`: called when the end was reported */
function unpackedAnswer(handler: UpstreamHandler, done: () => void) {
  let names: string[] | null = null
  let status = 0
  let steps: Duplex[] = []
  let call: UpstreamCall | null = null
  /** how the connection ended; reported after all data before it */
  let ending: { error: OnwardError | null } | null = null
  let told = false
  let said = false
  /** the reader asked for a pause */
  let held = false

  function over(error: OnwardError | null): void {
    if (told) return
    told = true
    done()
    drop()
    if (error) handler.onError(error)
    else handler.onEnd()
  }
  function drop(): void {
    for (const step of steps) step.destroy()
  }
  /** The reader has left, so what it has not got is dropped. */
  function leave(): void {
    drop()
    if (ending && !told) queueMicrotask(() => over(new OnwardError('upstream-aborted', 'The answer was given up.')))
  }

  function failed(error: unknown): void {
    if (told || ending?.error) return over(ending?.error ?? null)
    if (status >= 400 && !said) {
      handler.onData(unreadableError)
      return over(null)
    }
    over(
      new OnwardError(
        'bad-answer',
        `The answer of the provider is not valid ${names?.join(', ')}: ${messageOf(error)}.`,
        {
          status: 502,
          retryable: true,
          cause: error,
        },
      ),
    )
  }

  /** Makes the steps from the bytes that come to those that are handed on, once the first byte is known. */
  function begin(layers: string[], first: number | undefined): Duplex[] {
    const made = layers.flatMap((name) => unpacking(name, first) ?? [])
    for (const [i, step] of made.entries()) {
      step.on('error', failed)
      const before = made[i - 1]
      if (before) before.pipe(step)
    }
    const last = made.at(-1)
    last?.on('data', (chunk: Buffer) => {
      if (told) return
      said = true
      held = true
      if (handler.onData(chunk)) held = false
      // It may have asked to go on within that call.
      if (held) last.pause()
    })
    last?.on('end', () => over(ending?.error ?? null))
    return made
  }

  const answer: UpstreamHandler = {
    onHead(given, headers) {
      status = given
      names = namesIn(headers)
      if (!names) return handler.onHead(status, headers)
      const { 'content-encoding': _encoding, ...rest } = withoutFactsOfBytes(headers)
      handler.onHead(status, rest)
    },
    onData(chunk) {
      // Proxies in front of a server may unpack its answer and leave its header.
      if (steps.length === 0 && isPlain(names, chunk)) names = null
      if (!names) return handler.onData(chunk)
      if (told) return true
      if (steps.length === 0) steps = begin(names, chunk[0])
      const [first] = steps
      if (!first || first.write(chunk)) return !held
      first.once('drain', () => {
        if (!held) call?.resume()
      })
      return false
    },
    onEnd() {
      end(null)
    },
    onError(error) {
      end(error)
    },
  }

  function end(error: OnwardError | null): void {
    ending = { error }
    const [first] = steps
    // We gave it up, or nothing came: no data precedes the error.
    if (!first || first.destroyed) return over(error)
    first.end()
  }

  return {
    handler: answer,
    over,
    leave,
    attach(given: UpstreamCall) {
      call = given
    },
    resume() {
      held = false
      steps.at(-1)?.resume()
    },
  }
}

export const unreadableError = Buffer.from(
  JSON.stringify({ error: { message: 'The provider sent its error in an encoding that Onward can’t read.' } }),
)

type OfBody = Record<string, string | string[]>

/**
 * Headers that describe the very bytes of one body: true of an answer that goes by untouched, wrong (or, for the
 * length, a client that waits for ever) on one that is made of several rounds, loses a call or gains an error. Lengths,
 * ranges and validators: RFC 9110, 8.6, 8.8 and 14. Digests: RFC 9530 and its forerunner RFC 3230. Signatures over
 * them: RFC 9421. `trailer` announces any of them after the body.
 */
const factsOfBytes = new Set([
  'content-length',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
  'content-md5',
  'digest',
  'content-digest',
  'repr-digest',
  'signature',
  'signature-input',
  'trailer',
])

/** Returns the headers without those that describe bytes another body does not have. Names in lower case. */
export function withoutFactsOfBytes(headers: OfBody): OfBody {
  const left: OfBody = {}
  for (const name of Object.keys(headers)) if (!factsOfBytes.has(name)) left[name] = headers[name] ?? ''
  return left
}
