/** US dollars per million tokens. What is left out costs what `input` costs. */
export interface TokenPrice {
  input: number
  /** read from a prompt cache */
  cachedInput?: number
  /** written to one; of a vendor with several lifetimes, the shortest */
  cacheWrite?: number
  /** written to one for an hour; left out: as `cacheWrite` */
  cacheWriteHour?: number
  output: number
}

/** A vendor's published price of one of its models. */
export interface ListPrice extends TokenPrice {
  /** a request whose whole input is longer than this pays these prices for all of its tokens */
  longer?: TokenPrice & { above: number }
  /** no price is known for a longer input */
  upTo?: number
  /** the last day it holds, `2026-12-31`; no price is known for later days */
  until?: string
  /** when it was read, where that is another day than its list's */
  taken?: string
}

/** The public prices of one vendor for calls that are paid by the token. */
export interface PriceList {
  vendor: string
  /** the vendor's page with these prices */
  page: string
  /** the day on which it was read, `2026-10-24` */
  taken: string
  /** beginnings of the addresses of the vendor's own API, after `https://`; other providers have prices of their own */
  addresses: readonly string[]
  /** addresses that a subscription pays for */
  plans: readonly string[]
  /** at these hours of a working day everything costs `times` as much; hours in UTC, the end not included */
  peak?: { times: number; hours: readonly (readonly [number, number])[] }
  /** by the model's id as the vendor writes it, in lower case, without the date of a snapshot */
  models: Readonly<Record<string, ListPrice>>
}
