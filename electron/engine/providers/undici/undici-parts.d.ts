/** Types of the parts of undici that are imported by file (see parts.ts). */
declare module 'undici/lib/core/util.js' {
  /** Names in lower case; the values of a repeated name in a list. */
  export function parseHeaders(lines: readonly Buffer[]): Record<string, string | string[]>
}
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici'
  export default Client
}
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici'
  export default Pool
}
