/** 82 000: thousands apart, so that a threshold can be read. */
export const countOf = (n: number): string => n.toLocaleString('en').replaceAll(',', ' ')

/** Reads a number of tokens as a person types it: `82 000`, `82,000`, `82k`; null: not a number. */
export function parseCount(text: string): number | null {
  const match = /^(\d[\d\s.,'’]*)(k|m)?$/i.exec(text.trim())
  if (text.trim() === '') return 0
  const digits = match?.[1]?.replaceAll(/[^\d]/g, '')
  if (!digits) return null
  const count = Number(digits) * (match?.[2] === undefined ? 1 : /k/i.test(match[2]) ? 1_000 : 1_000_000)
  return count <= 100_000_000 ? count : null
}
