import { isAscii, isUtf8, transcode } from 'node:buffer'
import { behindSign, type Edit, type Span } from './json-bytes/index.ts'
import { commaBefore, joined } from './json-bytes/walk.ts'

/** Reading decoded JSON of unknown shape. */
export type JsonObject = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const asObject = (value: unknown): JsonObject | null => (isObject(value) ? value : null)
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
/** The objects of a list, without what else stands in it. */
export const asObjects = (value: unknown): JsonObject[] => asList(value).filter(isObject)
export const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null)
/** An empty text is no name. */
export const asName = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
export const asNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

/** A count of tokens; some servers say -1 for one that they do not know. */
export function asCount(value: unknown): number | null {
  const number = asNumber(value)
  return number === null || number < 0 ? null : Math.round(number)
}

/** False for what typed servers fill members in with that have no value: null, false, empty texts, lists, objects. */
export function hasValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  const object = asObject(value)
  return object ? Object.values(object).some(hasValue) : value === 0 || Boolean(value)
}

/** Returns JSON with the members of every object sorted by name. */
export function sortedJson(value: unknown): string {
  const object = asObject(value)
  if (object)
    return `{${Object.keys(object)
      .sort()
      .map((name) => `${JSON.stringify(name)}:${sortedJson(object[name])}`)
      .join(',')}}`
  return Array.isArray(value) ? `[${asList(value).map(sortedJson).join(',')}]` : (JSON.stringify(value) ?? 'null')
}

/** null for anything that is not whole JSON. */
export const parseObject = (json: Buffer): JsonObject | null => asObject(parsed(json))

/** A list of objects; null for anything else. */
export function parseObjects(json: Buffer): readonly JsonObject[] | null {
  const list = parsed(json)
  return Array.isArray(list) && list.every(isObject) ? list : null
}

function parsed(json: Buffer): unknown {
  try {
    const text = decodeUtf8(json)
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** bytes below which `toString` is as fast */
const largeBytes = 8 * 1024

/**
 * Like `toString('utf8')`, in a third of its time for large texts that are not ASCII: Node 20 decodes those character
 * by character, while its transcoding works on whole vectors. Broken UTF-8 goes through `toString`, which puts U+FFFD
 * for what is broken.
 */
export function decodeUtf8(bytes: Buffer): string {
  if (bytes.length < largeBytes || isAscii(bytes) || !isUtf8(bytes)) return bytes.toString('utf8')
  return transcode(bytes, 'utf8', 'utf16le').toString('utf16le')
}

/** The edit that adds values at the end of a list, every other byte as it was; `list` must be one. */
export function behindLast(json: Buffer, list: Span, values: readonly Buffer[]): Edit {
  const end = behindSign(json, list.end - 1)
  const isEmpty = end === list.start + 1
  return { start: end, end, replacement: Buffer.concat(isEmpty ? joined(values) : [commaBefore, ...joined(values)]) }
}

/** Edits that take elements out of a list, each with one of the commas beside it. `list` holds all of them in order. */
export function withoutElements(list: readonly Span[], isOut: (index: number) => boolean): Edit[] {
  const edits: Edit[] = []
  let kept = false
  for (const [i, at] of list.entries()) {
    if (!isOut(i)) {
      kept = true
      continue
    }
    const [before, behind] = [list[i - 1], list[i + 1]]
    edits.push({
      start: kept && before ? before.end : at.start,
      end: !kept && behind ? behind.start : at.end,
      replacement: '',
    })
  }
  return edits
}
