import type { WebAnswer, WebAsk } from '../../web/types.ts'

export interface Found {
  title: string
  url: string
  snippet: string
}

export interface Query {
  text: string
  results: number
}

/** One search engine: what is asked of the web, and what of its answer. */
export interface Engine {
  name: string
  ask(query: Query): Pick<WebAsk, 'url' | 'method' | 'headers' | 'body' | 'allow'>
  /** null: it is not what this engine answers */
  read(answer: WebAnswer): Found[] | null
  /** what to do about a status, where the engine has a habit of its own */
  hint?(status: number): string | null
}
