/** Recognizes secrets by the content of files. */
import { secretContents, secretForms } from './secret-table.ts'

/** Returns the kind of secret a file holds, wherever it is in the file, else null. No model may see such a file. */
export function secretIn(content: Buffer): string | null {
  const possible = secretContents.filter(({ signs }) => signs.some((sign) => content.includes(sign)))
  if (possible.length === 0) return null
  const text = content.toString('latin1')
  return possible.find(({ forms }) => forms.every((form) => form.test(text)))?.why ?? null
}

/** The same for `git grep -E`. */
export const secretLines = secretContents.map(({ line }) => line).join('|')

/** Replaces the keys in a text by a note that they were left out. */
export const withoutTokens = (text: string): string =>
  secretForms.reduce((left, { form }) => left.replace(form, '[a key, left out]'), text)
