import type { Clock } from '../base/clock.ts'
import { admit, readUrl, systemAddresses, systemResolve, type Resolve } from './admit.ts'
import { aborted, refused, timedOut } from './errors.ts'
import { hop } from './hop.ts'

export interface PostPublicDeps {
  clock: Clock
  resolve?: Resolve
  /** addresses of this machine */
  own?: () => readonly string[]
}

export interface PublicPost {
  url: string
  headers: Readonly<Record<string, string>>
  body: Buffer
}

export interface PublicWeb {
  /**
   * Whether it may be sent there at all, as far as is known now.
   * @throws OnwardError `bad-url` | `address-refused` | `web-unreachable` | `timed-out`
   */
  check(url: string): Promise<void>
  /** @throws OnwardError as `check`, and `aborted` */
  post(
    what: PublicPost,
    signal: AbortSignal,
  ): Promise<{ status: number; headers: Record<string, string>; body: string }>
}

const WITHIN_MS = 10_000
const MOST_BYTES = 16 * 1024

/**
 * POSTs to addresses that somebody else than the person named: https and the public internet alone, with the checks of
 * create-fetch-web.ts. Redirects are not followed: what is sent is meant for this address.
 */
export function publicWeb({ clock, resolve = systemResolve, own = systemAddresses }: PostPublicDeps): PublicWeb {
  const within = async <T>(given: AbortSignal | null, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const ending = new AbortController()
    const leave = (): void => ending.abort(aborted('It was given up.'))
    if (given?.aborted) leave()
    given?.addEventListener('abort', leave, { once: true })
    const late = clock.after(WITHIN_MS, () => ending.abort(timedOut(WITHIN_MS)))
    try {
      return await work(ending.signal)
    } finally {
      late.dispose()
      given?.removeEventListener('abort', leave)
    }
  }
  const find = async (text: string, signal: AbortSignal) => {
    const url = readUrl(text)
    if (url.protocol !== 'https:') throw refused('Only an https address is sent to.')
    return { url, addresses: await admit(url, { resolve, own, allow: () => false, signal }) }
  }
  return {
    async check(url) {
      await within(null, (signal) => find(url, signal))
    },
    post: ({ url: text, headers, body }, given) =>
      within(given, async (signal) => {
        const { url, addresses } = await find(text, signal)
        const step = { url, method: 'POST', headers, body } as const
        const answer = await hop(step, { addresses, maxBytes: MOST_BYTES, connectMs: WITHIN_MS, signal })
        return { status: answer.status, headers: { ...answer.headers }, body: answer.packed.toString('utf8') }
      }),
  }
}
