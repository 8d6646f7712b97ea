import { members, type Edit, type Span } from '../json-bytes/index.ts'
import type { Replaced } from './types.ts'

/**
 * Returns `{"type":"text","text":"…"}` with the `kept` members of the part it replaces, byte for byte; they are those
 * that say nothing of its image.
 */
export function textPart(body: Buffer, part: Span, type: string | null, text: string, kept: readonly string[]): Buffer {
  const stay = members(body, part, kept).flatMap((at, i) =>
    at ? [Buffer.from(`,${JSON.stringify(kept[i])}:`), body.subarray(at.start, at.end)] : [],
  )
  const head = type === null ? '' : `"type":${JSON.stringify(type)},`
  return Buffer.concat([Buffer.from(`{${head}"text":${JSON.stringify(text)}`), ...stay, Buffer.from('}')])
}

export const textPartEdits = (
  body: Buffer,
  replaced: readonly Replaced[],
  type: string,
  kept: readonly string[],
): Edit[] =>
  replaced.map(({ image, text }) => ({
    start: image.start,
    end: image.end,
    replacement: textPart(body, image, type, text, kept),
  }))
