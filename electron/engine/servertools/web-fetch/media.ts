export type Media = 'html' | 'text' | 'other'

const texts =
  /^(?:text\/.+|application\/(?:(?:.+\+)?(?:json|xml|yaml)|x-yaml|toml|x-ndjson|jsonl|javascript|ecmascript|x-javascript|typescript|x-sh|sql|graphql|rtf|x-www-form-urlencoded)|image\/svg\+xml)$/

/** `type/subtype` in lower case; empty where nothing was said. */
export const typeOf = (contentType: string | undefined): string =>
  (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/** What a body is by what its server says of it, and where it says nothing, by how it begins. */
export function mediaOf(type: string, body: Buffer): Media {
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  if (texts.test(type)) return 'text'
  if (type !== '') return 'other'
  const start = body.subarray(0, 1024)
  if (start.includes(0)) return 'other'
  return /^\s*<(?:!doctype html|html|head|body|!--)/i.test(start.toString('latin1')) ? 'html' : 'text'
}
