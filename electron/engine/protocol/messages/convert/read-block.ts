import type { BlockKind, Citation, SearchBlock } from '../../canonical/answer.ts'
import { cite } from '../../canonical/sources/append-sources.ts'
import { noteMembers, type KnownMembers, type ReadContext } from '../../canonical/codec.ts'
import { kindOfBlock } from '../block-kinds.ts'
import { isCall } from '../facts.ts'
import { asList, asName, asObject, asText, type JsonObject } from '../../values.ts'
import { readCitation } from './citations.ts'
import { readSearchBlock, searchTool } from './web-search.ts'

interface OpenSearch {
  id: string
  json: string
}

/** Searches that were called and have no results yet: one canonical block holds both. */
export type Searches = Map<string, OpenSearch>

/** A content block of an answer that is being read. */
export interface OpenBlock {
  /** its number in the canonical answer; null for what has no place there */
  block: number | null
  kind: BlockKind['kind'] | null
  /** a call's arguments as its start said them; used when no pieces follow, so that none are said twice */
  whole: string | null
  /** of thinking: its signature came. Kimi's is empty, or there is none, and it wants its thinking back all the same */
  sealed: boolean
  /** of a search the vendor runs: its input */
  search: OpenSearch | null
  /** of a text: UTF-16 units said so far */
  length: number
  /** of a text: said at its end, for all of it */
  citations: Citation[]
}

/** Members that are read of each kind of block (ContentBlock of @anthropic-ai/sdk). */
const known: Partial<Record<string, KnownMembers>> = {
  text: new Set(['type', 'text', 'citations']),
  thinking: new Set(['type', 'thinking', 'signature']),
  redacted_thinking: new Set(['type', 'data']),
  tool_use: new Set(['type', 'id', 'name', 'input']),
  server_tool_use: new Set(['type', 'id', 'name', 'input']),
  web_search_tool_result: new Set(['type', 'tool_use_id', 'content']),
}

/** Records a block's unknown members. A `caller` of type `direct` is none: every call is taken for the model's own. */
function noteBlock(content: JsonObject, dropped: ReadContext['dropped']): void {
  const { caller, ...rest } = content
  const members = known[asText(content['type']) ?? '']
  if (members) noteMembers(asObject(caller)?.['type'] === 'direct' ? rest : content, members, 'content[].', dropped)
}

const opened = (block: number | null, kind: OpenBlock['kind'], whole: string | null = null): OpenBlock => ({
  block,
  kind,
  whole,
  sealed: false,
  search: null,
  length: 0,
  citations: [],
})

/** Emits a block's beginning and what came with it. */
export function beginBlock(content: JsonObject, block: number, searches: Searches, context: ReadContext): OpenBlock {
  const { emit, dropped, newId } = context
  const type = content['type']
  noteBlock(content, dropped)
  switch (type) {
    case 'text': {
      emit({ type: 'begin', block, part: { kind: 'text' } })
      const text = opened(block, 'text')
      sayText(text, content['text'], emit)
      for (const entry of asList(content['citations'])) addCitation(text, entry, dropped)
      return text
    }
    case 'thinking': {
      emit({ type: 'begin', block, part: { kind: 'thinking' } })
      say(block, asText(content['thinking']), emit)
      const thinking = opened(block, 'thinking')
      sealBlock(thinking, content['signature'], emit)
      return thinking
    }
    case 'redacted_thinking':
      emit({ type: 'begin', block, part: { kind: 'thinking' } })
      emit({ type: 'seal', block, seal: { of: 'messages', data: asText(content['data']) ?? '', redacted: true } })
      return { ...opened(block, 'thinking'), sealed: true }
    case 'tool_use': {
      if (!isCall(content)) return opened(null, null)
      emit({
        type: 'begin',
        block,
        part: {
          kind: 'tool-call',
          id: asName(content['id']) ?? newId('toolu_'),
          name: asText(content['name']) ?? '',
          custom: false,
        },
      })
      return opened(block, 'tool-call', inputOf(content['input']))
    }
    case 'server_tool_use': {
      const id = asName(content['id'])
      if (content['name'] !== searchTool || id === null) return otherBlock(content, context)
      const search = { id, json: inputOf(content['input']) }
      searches.set(id, search)
      return { ...opened(null, null), search }
    }
    case 'web_search_tool_result': {
      const id = asName(content['tool_use_id']) ?? ''
      const part = readSearchBlock(searches.get(id)?.json ?? '', content['content'], dropped)
      if (!saysSearch(part)) return otherBlock(content, context)
      searches.delete(id)
      emit({ type: 'begin', block, part })
      return opened(block, 'search')
    }
    default:
      return otherBlock(content, context)
  }
}

const saysSearch = ({ queries, found }: SearchBlock): boolean => queries.length + found.length > 0

/** The answer ended: emits searches whose results did not come. @returns the number of blocks */
export function sayLeftSearches(searches: Searches, block: number, context: ReadContext): number {
  let said = 0
  for (const { json } of searches.values()) {
    const part = readSearchBlock(json, null, context.dropped)
    if (!saysSearch(part)) context.unshown('server_tool_use', 'web search', 'aside')
    else {
      context.emit({ type: 'begin', block: block + said, part })
      context.emit({ type: 'end', block: block + said++ })
    }
  }
  return said
}

/** A block that has no place in the canonical answer. */
function otherBlock(content: JsonObject, { dropped, unshown }: ReadContext): OpenBlock {
  const name = asName(content['type'])
  const what = name === null ? null : kindOfBlock(name, asName(content['name']))
  if (what === null) dropped('content')
  else if (what.kind === 'shows') unshown(what.type, what.label)
  else unshown(what.type, what.label, 'aside')
  return opened(null, null)
}

export function sealBlock(open: OpenBlock, signature: unknown, emit: ReadContext['emit']): void {
  const data = asName(signature)
  if (data === null || open.block === null) return
  open.sealed = true
  emit({ type: 'seal', block: open.block, seal: { of: 'messages', data } })
}

export function sayText(open: OpenBlock, text: unknown, emit: ReadContext['emit']): void {
  if (open.block === null || typeof text !== 'string' || text === '') return
  open.length += text.length
  emit({ type: 'delta', block: open.block, text })
}

export function addCitation(open: OpenBlock, value: unknown, dropped: ReadContext['dropped']): void {
  const given = asObject(value)
  const citation = given && readCitation(given, dropped)
  if (citation) open.citations.push(citation)
}

function say(block: number, text: string | null, emit: ReadContext['emit']): void {
  if (text) emit({ type: 'delta', block, text })
}

/** A call without arguments gets `{}`: its client parses them. */
const inputOf = (input: unknown): string => asName(input) ?? JSON.stringify(asObject(input) ?? {})

export function endBlock(open: OpenBlock, context: ReadContext): void {
  const { emit } = context
  if (open.block === null) return
  if (open.whole !== null) emit({ type: 'delta', block: open.block, text: open.whole })
  const cited = open.citations.map((citation) => ({ ...citation, start: 0, end: open.length }))
  if (open.kind === 'thinking' && !open.sealed)
    emit({ type: 'seal', block: open.block, seal: { of: 'messages', data: '' } })
  cite(cited, open.length === 0 ? null : open.block, 'citations', context)
  emit({ type: 'end', block: open.block })
}
