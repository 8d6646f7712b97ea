/** A provider's prompt cache, as its vendor documents it: what each request reads from it, in blocks of the prompt. */
import type { EntryProtocol } from '../../../../shared/words.ts'

interface Block {
  /** the same text has the same place in the cache */
  text: string
  marked: boolean
}

export interface PromptCache {
  /** @returns characters of the prompt that are read from the cache, and all it has */
  ask(body: unknown): { read: number; all: number }
}

/** Anthropic looks for what it has at a mark and before it, at this many blocks in all. */
const lookback = 20

/**
 * Messages: a prefix is written where a mark is, and found from a mark that is at most 20 blocks on. Other protocols:
 * any beginning that was sent before.
 */
export function promptCache(entry: EntryProtocol): PromptCache {
  const known = new Set<string>()
  return {
    ask(body) {
      const blocks = blocksOf(entry, body)
      const prefixes: string[] = []
      let prefix = ''
      for (const { text } of blocks) prefixes.push((prefix += text))
      const places =
        entry === 'messages'
          ? blocks.flatMap(({ marked }, at) => (marked ? Array.from({ length: lookback }, (_, back) => at - back) : []))
          : [...blocks.keys()]
      const read = Math.max(0, ...places.map((at) => (known.has(prefixes[at] ?? '') ? (prefixes[at]?.length ?? 0) : 0)))
      for (const [at, { marked }] of blocks.entries()) if (marked || entry !== 'messages') known.add(prefixes[at] ?? '')
      return { read, all: prefix.length }
    },
  }
}

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null
const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

/** Tools, system text, messages: the order in which vendors put them together. */
function blocksOf(entry: EntryProtocol, body: unknown): readonly Block[] {
  const { tools, system, instructions, systemInstruction, messages, input, contents } = isObject(body) ? body : {}
  const declared = listOf(tools).flatMap((tool) =>
    entry === 'gemini' && isObject(tool) ? listOf(tool['functionDeclarations']) : [tool],
  )
  return [
    ...declared.map((tool) => blockOf('tool', tool)),
    ...[system, instructions, systemInstruction].flatMap(listOf).map((part) => blockOf('system', part)),
    ...[messages, input, contents].flatMap(listOf).flatMap(partsOf),
  ]
}

/** A text alone is the same as a list of it. */
function partsOf(message: unknown): readonly Block[] {
  if (!isObject(message)) return [blockOf('user', message)]
  const { role, content, parts, cache_control: mark, ...rest } = message
  const said = listOf(content ?? parts).map((part) => blockOf(String(role), part))
  const beside = Object.keys(rest).length > 0 ? [blockOf(String(role), rest)] : []
  return mark ? [...beside, ...said].with(-1, { text: '', marked: true }) : [...beside, ...said]
}

function blockOf(role: string, part: unknown): Block {
  if (!isObject(part)) return { text: `${role}${JSON.stringify({ type: 'text', text: part })}`, marked: false }
  const { cache_control: mark, ...rest } = part
  return { text: `${role}${JSON.stringify(rest)}`, marked: mark !== undefined }
}
