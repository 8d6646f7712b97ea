/** The open web, as far as tools of Onward's may reach it: nothing that is not public, nothing without an end. */

export interface WebAsk {
  url: string
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
  /** the whole of it, redirects included */
  timeoutMs: number
  /** of the body, after decompression; a longer one is cut and marked so */
  maxBytes: number
  /** hosts, addresses or ranges that may be reached though they are not public (config `servertools.webFetch.allow`) */
  allow: readonly string[]
  signal: AbortSignal
}

export interface WebAnswer {
  status: number
  /** lower-case names */
  headers: Readonly<Record<string, string>>
  /** after redirects */
  url: string
  body: Buffer
  cut: boolean
}

/**
 * Fetches from the public web. Every host, at the beginning and at each of at most five redirects, is resolved and
 * checked, and the connection goes to the checked address and no other.
 * @throws OnwardError `address-refused` | `bad-url` | `too-many-redirects` | `timed-out` | `web-unreachable` |
 *   `aborted`
 */
export type FetchWeb = (ask: WebAsk) => Promise<WebAnswer>
