import { OnwardError } from '../base/errors.ts'

/** Members whose values are secrets, written without separators and in lower case. */
const secret: ReadonlySet<string> = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'apikey',
  'xapikey',
  'xgoogapikey',
  'xonwardkey',
  'key',
  'keys',
  'token',
  'accesstoken',
  'refreshtoken',
  'controltoken',
  'secret',
  'clientsecret',
  'password',
  'passphrase',
  'credential',
  'credentials',
])
/** Members that hold what was said, and environments. */
const content: ReadonlySet<string> = new Set(['text', 'texts', 'prompt', 'body', 'messages', 'marker', 'env'])

/** Credentials inside other texts: addresses, error messages of libraries, command lines. */
const inText: readonly [RegExp, string][] = [
  [/owk_[\w-]+/g, 'owk_[redacted]'],
  [/\bsk-[\w-]{8,}/g, 'sk-[redacted]'],
  [/\bAIza[\w-]{20,}/g, 'AIza[redacted]'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 [redacted]'],
  [/\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g, '[redacted]'],
  [/\/t\/[^/\s"']{8,}/g, '/t/[redacted]'],
  [/([?&#](?:key|token|api_key|access_token)=)[^&\s"']+/gi, '$1[redacted]'],
  [/(:\/\/[^/\s:@]+):[^/\s@]+@/g, '$1:[redacted]@'],
]

/** Nearly no text holds a credential, and this test shows that in one pass. */
const mayHoldSecret = /owk_|sk-|AIza|bearer|basic|eyJ|\/t\/|(?:key|token)=|:\/\//i

const longestText = 2000
const deepest = 6
const mostItems = 50

/** A text without the credentials that can be recognized by their form. */
export const redactText = (text: string): string => {
  const shown = text.length > longestText ? `${text.slice(0, longestText)}… (${text.length} characters)` : text
  return mayHoldSecret.test(shown)
    ? inText.reduce((done, [pattern, instead]) => done.replace(pattern, instead), shown)
    : shown
}

/** Log fields without secrets, prompts or bodies, for every caller; errors become plain data. */
export function redact(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, redactMember(name, value, 0)]))
}

function redactMember(name: string, value: unknown, depth: number): unknown {
  const plain = name.toLowerCase().replaceAll(/[-_\s]/g, '')
  if (value === null || value === undefined || typeof value === 'boolean') return value
  if (secret.has(plain)) return '[redacted]'
  if (content.has(plain)) return '[left out]'
  return redactValue(value, depth)
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (typeof value !== 'object' || value === null) return value
  if (depth >= deepest) return '[too deep]'
  if (value instanceof Date) return value.toJSON()
  if (value instanceof Error) return plainError(value, depth)
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (Array.isArray(value)) {
    const shown: unknown[] = value.slice(0, mostItems).map((item: unknown) => redactValue(item, depth + 1))
    return value.length > mostItems ? [...shown, `… ${value.length - mostItems} more`] : shown
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, redactMember(name, member, depth + 1)]),
  )
}

function plainError(error: Error, depth: number): Record<string, unknown> {
  const code = 'code' in error ? error.code : undefined
  return {
    ...(error.name !== 'Error' && error.name !== 'OnwardError' ? { name: error.name } : {}),
    ...(typeof code === 'string' ? { code } : {}),
    message: redactText(error.message),
    // where an expected failure was made says nothing; an unexpected one is a bug to be found
    ...(OnwardError.isInstance(error) || !error.stack ? {} : { stack: redactText(error.stack) }),
    ...(error.cause === undefined ? {} : { cause: redactValue(error.cause, depth + 1) }),
  }
}
