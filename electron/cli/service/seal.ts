/** A line in each file we write shows later that it is ours, by which Onward, and whether it was changed since. */
import { createHash } from 'node:crypto'

const unsealed = '0'.repeat(64)
const pattern = /Written by Onward (\S+) \(onward service install\), checksum ([0-9a-f]{64})/

export type Seal = { kind: 'foreign' } | { kind: 'ours' | 'changed'; version: string }

/** To be put into a comment of the text, which `seal` then completes. */
export const sealLine = (version: string): string =>
  `Written by Onward ${version} (onward service install), checksum ${unsealed}`

const checksum = (text: string): string => createHash('sha256').update(text).digest('hex')

export const seal = (text: string): string => text.replace(unsealed, checksum(text))

export function readSeal(text: string): Seal {
  const [line, version, sum] = pattern.exec(text) ?? []
  if (line === undefined || version === undefined || sum === undefined) return { kind: 'foreign' }
  const before = text.replace(line, line.replace(sum, unsealed))
  return { kind: checksum(before) === sum ? 'ours' : 'changed', version }
}
