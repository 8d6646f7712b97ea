import type { Clock } from '../base/clock.ts'
import { messageOf, OnwardError } from '../base/errors.ts'
import { admit, readUrl, systemAddresses, systemResolve, type Resolve } from './admit.ts'
import { hostOf, readAllow } from './allow.ts'
import { aborted, timedOut } from './errors.ts'
import { hop, type HopAnswer, follow, isRedirect, type Step } from './hop.ts'
import type { FetchWeb, WebAnswer, WebAsk } from './types.ts'
import { type Duplex, Readable } from 'node:stream'
import { encodingsIn, unpacking } from '../base/network/unpack.ts'

const MOST_REDIRECTS = 5

export interface FetchWebDeps {
  clock: Clock
  resolve?: Resolve
  /** addresses of this machine */
  own?: () => readonly string[]
  /** PEM certificates trusted beside the system's */
  ca?: string
}

export interface GuardedWeb {
  fetch: FetchWeb
  /** ends what is under way */
  dispose(): Promise<void>
}

/**
 * The only way to the open web (see types.ts). Proxies of the environment are not used: the addresses they reach can't
 * be checked.
 */
export function createFetchWeb({
  clock,
  resolve = systemResolve,
  own = systemAddresses,
  ca,
}: FetchWebDeps): GuardedWeb {
  const under = new Map<AbortController, Promise<unknown>>()

  async function walk(ask: WebAsk, signal: AbortSignal): Promise<WebAnswer> {
    const allow = readAllow(ask.allow)
    let step = firstStep(ask)
    for (let redirects = 0; ; redirects++) {
      const addresses = await admit(step.url, { resolve, own, allow, signal })
      const answer = await hop(step, { addresses, maxBytes: ask.maxBytes, connectMs: ask.timeoutMs, signal, ca })
      const { location } = answer.headers
      if (!isRedirect(answer.status, location)) return whole(step, answer, ask.maxBytes)
      if (redirects === MOST_REDIRECTS)
        throw new OnwardError(
          'too-many-redirects',
          `${hostOf(step.url)} redirects again and again: more than ${MOST_REDIRECTS} times.`,
          { status: 502 },
        )
      step = follow(step, answer.status, location)
    }
  }

  async function fetch(ask: WebAsk): Promise<WebAnswer> {
    const ending = new AbortController()
    const leave = (): void => ending.abort(aborted('The fetch was given up.'))
    if (ask.signal.aborted) leave()
    ask.signal.addEventListener('abort', leave, { once: true })
    const timer = clock.after(ask.timeoutMs, () => ending.abort(timedOut(ask.timeoutMs)))
    const work = walk(ask, ending.signal)
    under.set(ending, work)
    try {
      return await work
    } finally {
      timer.dispose()
      ask.signal.removeEventListener('abort', leave)
      under.delete(ending)
    }
  }

  return {
    fetch,
    async dispose() {
      for (const ending of under.keys()) ending.abort(aborted('Onward is shutting down.'))
      await Promise.allSettled(under.values())
    },
  }
}

const firstStep = (ask: WebAsk): Step => ({
  url: readUrl(ask.url),
  method: ask.method ?? 'GET',
  headers: { 'user-agent': 'Mozilla/5.0 (compatible; Onward)', accept: '*/*', ...ask.headers },
  body: ask.body ?? null,
})

async function whole({ url }: Step, answer: HopAnswer, maxBytes: number): Promise<WebAnswer> {
  try {
    const { body, cut } = await unpack(answer.packed, answer.headers['content-encoding'] ?? '', maxBytes)
    return { status: answer.status, headers: answer.headers, url: url.href, body, cut: cut || answer.cut }
  } catch (error) {
    throw new OnwardError('web-unreachable', `What ${hostOf(url)} answered can't be unpacked: ${messageOf(error)}.`, {
      cause: error,
      status: 502,
    })
  }
}

interface Unpacked {
  body: Buffer
  cut: boolean
}

/** Some servers encode twice; more layers than that are an attack. */
const MOST_LAYERS = 2

/**
 * The body without its `content-encoding`, no byte more than asked for: a bomb is stopped where it grows past that. A
 * packed body that ends too early gives what it has.
 * @throws Error for an encoding that is not known, or data that does not follow it
 */
async function unpack(packed: Buffer, encoding: string, maxBytes: number): Promise<Unpacked> {
  const layers = encodingsIn(encoding)
  if (layers.length > MOST_LAYERS) throw new Error(`it is encoded ${layers.length} times`)
  if (layers.length === 0 || packed.length === 0) return bounded([packed], maxBytes)
  let stream: Readable = Readable.from([packed])
  const steps: Duplex[] = []
  for (const name of layers) {
    const step = unpacking(name, packed[0], 'early')
    if (!step) throw new Error(`its encoding ${JSON.stringify(name.slice(0, 20))} is not known`)
    stream.on('error', (error) => step.destroy(error))
    stream = stream.pipe(step)
    steps.push(step)
  }
  try {
    return await bounded(stream, maxBytes)
  } finally {
    for (const step of steps) step.destroy()
  }
}

async function bounded(chunks: AsyncIterable<Buffer> | Iterable<Buffer>, maxBytes: number): Promise<Unpacked> {
  const kept: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    kept.push(chunk)
    length += chunk.length
    if (length > maxBytes) return { body: Buffer.concat(kept, length).subarray(0, maxBytes), cut: true }
  }
  return { body: Buffer.concat(kept, length), cut: false }
}
