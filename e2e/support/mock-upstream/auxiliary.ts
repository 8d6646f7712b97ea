/**
 * Requests that agents send beside their turns. They are answered sensibly without touching the script, so that a test
 * scripts turns only. Told apart by what the clients send, one line each.
 */
import { instanceOf } from './schema-instance.ts'
import type { Endpoint } from './types.ts'
import { at } from './json-path.ts'

export interface AuxiliaryFacts {
  endpoint: Endpoint
  headers: Readonly<Record<string, string>>
  json: unknown
  systemText: string
  lastUserText: string | null
}

const recognisers: readonly { kind: string; is(facts: AuxiliaryFacts): boolean }[] = [
  { kind: 'count', is: ({ endpoint }) => endpoint === 'count' || endpoint === 'gemini-count' },
  { kind: 'title', is: (f) => codexMetadata(f)['thread_source'] === 'thread_title' },
  {
    kind: 'title',
    is: ({ systemText }) =>
      systemText.includes('You are naming a coding session') || systemText.startsWith('You are a title generator'),
  },
  // Codex over a provider of another vendor, which gets none of its metadata
  {
    kind: 'title',
    is: ({ json }) =>
      at(json, 'response_format', 'json_schema', 'schema', 'properties', 'title') !== undefined ||
      at(json, 'output_config', 'format', 'schema', 'properties', 'title') !== undefined,
  },
  { kind: 'compaction', is: (f) => f.endpoint === 'compact' || codexMetadata(f)['request_kind'] === 'compaction' },
  {
    kind: 'compaction',
    is: ({ lastUserText }) => lastUserText !== null && compactionStarts.some((start) => lastUserText.startsWith(start)),
  },
  { kind: 'compaction', is: ({ systemText }) => systemText.startsWith('You are a context summarization agent') },
  {
    kind: 'warm-up',
    is: (f) =>
      f.lastUserText === 'Warmup' || codexMetadata(f)['request_kind'] === 'prewarm' || at(f.json, 'generate') === false,
  },
  { kind: 'router', is: ({ systemText }) => /^You are a (?:specialized )?Task Routing AI/.test(systemText) },
  {
    kind: 'loop check',
    is: ({ systemText }) => systemText.startsWith('You are a diagnostic agent that determines whether'),
  },
  {
    kind: 'compaction',
    is: ({ systemText }) =>
      systemText.startsWith('You are a specialized system component responsible for distilling chat history'),
  },
  {
    kind: 'memory',
    is: ({ systemText }) => systemText.startsWith('You are now acting as the managed memory extraction subagent'),
  },
  { kind: 'suggestion', is: ({ lastUserText }) => lastUserText?.startsWith('[SUGGESTION MODE:') ?? false },
  {
    kind: 'classifier',
    is: ({ systemText }) => systemText.startsWith('You are a security classifier for an AI coding agent'),
  },
]
const compactionStarts = [
  'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.',
  'You are performing a CONTEXT CHECKPOINT COMPACTION.',
  // Qwen Code 0.24.4: once to write it, once to check it
  'You are the component that summarizes a conversation',
  'First, reason in your <analysis> block.',
]

export const auxiliaryKind = (facts: AuxiliaryFacts): string | null =>
  recognisers.find((r) => r.is(facts))?.kind ?? null

/** JSON where the request asks for a schema, else a short text. */
export function auxiliaryText(kind: string, json: unknown): string {
  const schema =
    at(json, 'output_config', 'format', 'schema') ??
    at(json, 'text', 'format', 'schema') ??
    at(json, 'response_format', 'json_schema', 'schema') ??
    at(json, 'generationConfig', 'responseJsonSchema')
  if (schema !== undefined) return JSON.stringify(instanceOf(schema, 'Mock session'))
  return kind === 'compaction' ? '<summary>The work so far, summed up by the mock.</summary>' : 'Mock session'
}

function codexMetadata({ headers }: AuxiliaryFacts): Readonly<Record<string, unknown>> {
  const text = headers['x-codex-turn-metadata']
  if (!text?.startsWith('{')) return {}
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
