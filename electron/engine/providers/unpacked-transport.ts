import type { Duplex } from 'node:stream'
import { messageOf, OnwardError } from '../base/errors.ts'
import { encodings, encodingsIn, unpacking } from '../base/unpack.ts'
import { withoutFactsOfBytes } from './body-facts.ts'
import type { Transport, UpstreamCall, UpstreamHandler } from './types.ts'

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
        sent: () => call.sent?.() ?? false,
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
