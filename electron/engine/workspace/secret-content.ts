/** What holds secrets by what stands in it. */
import { secretContents, secretForms } from './secret-table.ts'

/** What a file holds that no model may see, wherever it stands in it; else null. */
export function secretIn(content: Buffer): string | null {
  const possible = secretContents.filter(({ signs }) => signs.some((sign) => content.includes(sign)))
  if (possible.length === 0) return null
  const text = content.toString('latin1')
  return possible.find(({ forms }) => forms.every((form) => form.test(text)))?.why ?? null
}

/** The same for `git grep -E`. */
export const secretLines = secretContents.map(({ line }) => line).join('|')

/** A text with the keys in it left out, and that they were. */
export const withoutTokens = (text: string): string =>
  secretForms.reduce((left, { form }) => left.replace(form, '[a key, left out]'), text)
