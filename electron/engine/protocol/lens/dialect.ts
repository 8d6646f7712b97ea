import type { EntryProtocol } from '../../../../shared/words.ts'
import { elements, isString, members, stringOf, type Span } from '../json-bytes/index.ts'

/** One message (input item). `system` also stands for developer. */
export interface ItemView {
  role: 'user' | 'assistant' | 'tool' | 'system' | 'other'
  /** string tokens of the texts of a user or system message */
  texts: readonly Span[]
}

/** A protocol's layout of requests; everything else about reading them is shared (lens.ts). */
export interface LensDialect {
  protocol: EntryProtocol
  /** the member that holds the conversation */
  list: 'messages' | 'input' | 'contents'
  /** the member beside it that holds system text */
  system: 'system' | 'instructions' | null
  view(body: Buffer, item: Span): ItemView
  /**
   * for a protocol that has them in another place or form than the members named above; `top`: the body's own members
   */
  items?(body: Buffer, top: ReadonlyMap<string, Span>): readonly Span[]
  systems?(body: Buffer, top: ReadonlyMap<string, Span>): readonly Span[]
  /** `listed`: the length of the member `tools`; null if it is missing or no list */
  tools?(body: Buffer, top: ReadonlyMap<string, Span>, listed: number | null): number | null
}

/** The parts of a request that a protocol sends outside the body. */
export interface AskedBeside {
  model: string | null
  stream: boolean
  streamForm?: 'sse' | 'json-array'
}

/** Returns the string tokens of a content that is a string or a list of parts; only parts of these types count. */
export function contentTexts(body: Buffer, content: Span | null, types: readonly string[]): Span[] {
  if (!content) return []
  if (isString(body, content)) return [content]
  const found: Span[] = []
  for (const part of elements(body, content)) {
    const [type, text] = members(body, part, ['type', 'text'])
    if (text && isString(body, text) && types.includes(stringOf(body, type ?? null) ?? '')) found.push(text)
  }
  return found
}
