import { decodeUtf8 } from './decode-utf8.ts'

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
