/** Writes a text so that `readQuoted` gives it back. A text that ends in a backslash can only stand in “ ”. */
export function writeQuoted(text: string): string {
  const escaped = text.replaceAll('"', '\\"')
  return text.endsWith('\\') ? `“${escaped}”` : `"${escaped}"`
}

/** The marker that arms this goal. @example writeGoal({ text: 'ship it', max: 3, review: true }) */
export const writeGoal = ({ text, max, review }: { text: string; max: number | null; review: boolean }): string =>
  `<**sm:${[writeQuoted(text), ...(max === null ? [] : [String(max)]), review ? 'ai:on' : 'ai:off'].join(',')}**>`
