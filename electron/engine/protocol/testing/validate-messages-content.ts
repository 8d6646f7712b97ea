import { asList, asObject, type JsonObject } from '../values.ts'
import { toolUseId, type Report } from './validate-messages-shapes.ts'

/** The members each block may have beside `type` and `cache_control`. */
const membersOf: Partial<Record<string, readonly string[]>> = {
  text: ['text', 'citations'],
  image: ['source'],
  document: ['source', 'title', 'context', 'citations'],
  thinking: ['thinking', 'signature'],
  redacted_thinking: ['data'],
  tool_use: ['id', 'name', 'input'],
  tool_result: ['tool_use_id', 'content', 'is_error'],
}
const inResults = ['text', 'image', 'document']

/** Checks a block of a request, which must be of one of the allowed types. */
export function checkContent(value: unknown, allowed: readonly string[], at: string, report: Report): void {
  const block = asObject(value) ?? {}
  const type = String(block['type'])
  if (!allowed.includes(type)) return report(`${at}.type: ${type} may not stand here`)
  for (const name of Object.keys(block)) {
    if (!['type', 'cache_control', ...(membersOf[type] ?? [])].includes(name))
      report(`${at}.${name}: no member of ${type}`)
  }
  const cache = block['cache_control']
  if (cache !== undefined && asObject(cache)?.['type'] !== 'ephemeral') report(`${at}.cache_control: not ephemeral`)
  if (cache !== undefined && type.endsWith('thinking')) report(`${at}.cache_control: not on thinking`)
  checkMembers(block, type, at, report)
}

function checkMembers(block: JsonObject, type: string, at: string, report: Report): void {
  const full = (name: string): void => {
    if (typeof block[name] !== 'string' || block[name].trim() === '') report(`${at}.${name}: no text`)
  }
  switch (type) {
    case 'text':
      return full('text')
    case 'image':
      return checkSource(asObject(block['source']) ?? {}, imageSources, `${at}.source`, report)
    case 'document':
      if (block['title'] !== undefined && typeof block['title'] !== 'string') report(`${at}.title: no text`)
      return checkSource(asObject(block['source']) ?? {}, documentSources, `${at}.source`, report)
    case 'thinking':
      if (typeof block['thinking'] !== 'string') report(`${at}.thinking: no text`)
      return full('signature')
    case 'redacted_thinking':
      return full('data')
    case 'tool_use':
      if (!toolUseId.test(String(block['id']))) report(`${at}.id: ${String(block['id'])} is not allowed`)
      full('name')
      if (!asObject(block['input'])) report(`${at}.input: no object`)
      return
    case 'tool_result':
      return checkResult(block, at, report)
  }
}

function checkResult(block: JsonObject, at: string, report: Report): void {
  const { content } = block
  if (!toolUseId.test(String(block['tool_use_id']))) report(`${at}.tool_use_id: not allowed`)
  if (block['is_error'] !== undefined && typeof block['is_error'] !== 'boolean')
    report(`${at}.is_error: neither true nor false`)
  if (block['is_error'] === true && (content === undefined || asList(content).length + String(content).length === 0))
    report(`${at}.content: empty with is_error`)
  if (content !== undefined && typeof content !== 'string' && !Array.isArray(content))
    report(`${at}.content: neither text nor list`)
  for (const [i, inner] of asList(content).entries()) checkContent(inner, inResults, `${at}.content[${i}]`, report)
}

type Sources = Partial<Record<string, { text: readonly string[]; mediaTypes?: readonly string[] }>>
const imageSources: Sources = {
  base64: { text: ['data', 'media_type'], mediaTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] },
  url: { text: ['url'] },
  file: { text: ['file_id'] },
}
const documentSources: Sources = {
  base64: { text: ['data', 'media_type'], mediaTypes: ['application/pdf'] },
  text: { text: ['data', 'media_type'], mediaTypes: ['text/plain'] },
  url: { text: ['url'] },
  file: { text: ['file_id'] },
  content: { text: [] },
}

function checkSource(source: JsonObject, forms: Sources, at: string, report: Report): void {
  const form = forms[String(source['type'])]
  if (!form) return report(`${at}.type: ${String(source['type'])} is no form of it`)
  for (const name of form.text)
    if (typeof source[name] !== 'string' || source[name] === '') report(`${at}.${name}: no text`)
  if (form.mediaTypes && !form.mediaTypes.includes(String(source['media_type'])))
    report(`${at}.media_type: ${String(source['media_type'])} is not taken`)
  for (const name of Object.keys(source))
    if (name !== 'type' && name !== 'content' && !form.text.includes(name)) report(`${at}.${name}: no member`)
}
