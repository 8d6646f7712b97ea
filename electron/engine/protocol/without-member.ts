import { behindSign, member, skipSpace, splice } from './json-bytes/index.ts'
import { rootOf } from './json-bytes/walk.ts'

/** The JSON without one member of its root, every other byte as it was; the same buffer when it has no such member. */
export function withoutMember(json: Buffer, name: string): Buffer {
  const value = member(json, rootOf(json), name)
  if (!value) return json
  const key = Buffer.from(JSON.stringify(name))
  const colon = behindSign(json, value.start) - 1
  const start = behindSign(json, colon) - key.length
  // A key written with escapes is not worth a walk of its own: null says as much.
  if (!json.subarray(start, start + key.length).equals(key)) return splice(json, [{ ...value, replacement: 'null' }])
  const next = skipSpace(json, value.end)
  if (json[next] === comma) return splice(json, [{ start, end: skipSpace(json, next + 1), replacement: '' }])
  const before = behindSign(json, start) - 1
  return splice(json, [{ start: json[before] === comma ? before : start, end: value.end, replacement: '' }])
}

const comma = 0x2c
