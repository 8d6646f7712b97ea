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

/** A search engine: its request to the web, and how to read its answer. */
export interface Engine {
  name: string
  ask(query: Query): Pick<WebAsk, 'url' | 'method' | 'headers' | 'body' | 'allow'>
  /** null: it is not an answer of this engine */
  read(answer: WebAnswer): Found[] | null
  /** advice for a status, if the engine has a habit of its own */
  hint?(status: number): string | null
}
