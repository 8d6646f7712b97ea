/** The counts that a runner reported. */
export interface Tally {
  failed: number
  /** those that did not fail; null: it counts only failures */
  passed: number | null
  /** singular and plural of the thing counted; null: tests */
  of: readonly [string, string] | null
}

export const tests = (failed: number, passed: number): Tally => ({ failed, passed, of: null })

/** “2 of 214 fail”, “214 pass”, “3 type errors” */
export function tallyText({ failed, passed, of }: Tally): string {
  const many = (count: number) => (of === null ? `${count}` : `${count} ${count === 1 ? of[0] : of[1]}`)
  if (passed === null) return failed === 0 ? `no ${of?.[1] ?? 'failures'}` : many(failed)
  const total = failed + passed
  if (total === 0) return 'no tests ran'
  if (failed === 0) return `${many(total)} ${of !== null && total === 1 ? 'passes' : 'pass'}`
  return of === null ? `${failed} of ${total} fail` : `${failed} of ${many(total)} fail`
}

/** All numbers before these words, added up: `2 failed | 3 passed` has 2 for `failed`. */
export function countBefore(text: string, ...words: readonly string[]): number {
  return sum(
    [...text.matchAll(new RegExp(`(\\d+)\\s+(?:${words.join('|')})\\b`, 'g'))].map((match) => Number(match[1])),
  )
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
