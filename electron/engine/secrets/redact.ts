/**
 * Takes secrets out of what is said: errors of providers repeat the key they were given ("Incorrect API key provided:
 * …").
 */
export interface Redactor {
  text(text: string): string
  /** the same Buffer where it holds none; other bytes stay as they are */
  bytes(bytes: Buffer): Buffer
  /** every text in plain data, and what an Error says; the same value where it holds none */
  value<T>(value: T): T
  /** whether this JSON may hold one: quick, and also true of many a text that holds none */
  mayBeIn(json: string): boolean
  /** as `bytes`, for what comes in pieces: also a secret that two of them hold. `end` gives what was kept back */
  stream(): { push(chunk: Buffer): Buffer; end(): Buffer }
}

export const hidden = '[hidden]'
/** A shorter one is a word as well ("test"): it counts only where it stands alone. */
const sureLength = 12
/** Less than this tells nothing, and would leave holes in every sentence. */
const leastLength = 4
/** A body of plain data goes no deeper, and a log line must not hang on a circle. */
const deepest = 8

/**
 * @param patterns sources of regular expressions, for secrets that are known by their form only: of signs that JSON
 *   leaves as they are, and without a look at what stands around them, which JSON may change
 */
export function createRedactor(secrets: Iterable<string>, patterns: readonly string[] = []): Redactor {
  const known = [...secrets].filter((secret) => secret.length >= leastLength)
  const forms = [...new Set(known.flatMap(formsOf))].sort((a, b) => b.length - a.length)
  const sources = [...forms.map(sourceOf), ...patterns]
  if (sources.length === 0) return nothingToHide
  const any = new RegExp(sources.join('|'), 'g')
  // few redactors are asked for these, and one is made for each request that failed
  let inJson: RegExp | null = null
  let escaped: { text: RegExp; json: RegExp } | null = null
  const escapedForms = () => (escaped ??= escapedOf(known))
  const longest = Math.max(...known.map((one) => one.length * longestEscape), patterns.length > 0 ? 256 : 0)

  const text = (given: string) => {
    const plain = given.replace(any, hidden)
    return known.length > 0 && mayEscape.test(plain) ? plain.replace(escapedForms().text, hidden) : plain
  }
  const bytes = (given: Buffer): Buffer => {
    // One character for each byte, and secrets are ASCII: what is around them comes back as it was.
    const plain = given.toString('latin1')
    const clean = text(plain)
    return clean === plain ? given : Buffer.from(clean, 'latin1')
  }
  return {
    text,
    bytes,
    value: <T>(value: T) => cleaned(value, text, deepest) as T,
    mayBeIn: (json) =>
      (inJson ??= inJsonOf(forms, patterns)).test(json) ||
      (known.length > 0 && mayEscape.test(json) && escapedForms().json.test(json)),
    stream() {
      let kept = ''
      return {
        push(chunk) {
          const clean = text(kept + chunk.toString('latin1'))
          const cut = Math.max(0, clean.length - longest)
          kept = clean.slice(cut)
          return Buffer.from(clean.slice(0, cut), 'latin1')
        },
        end() {
          const rest = Buffer.from(kept, 'latin1')
          kept = ''
          return rest
        },
      }
    },
  }
}

export const nothingToHide: Redactor = {
  text: (text) => text,
  bytes: (bytes) => bytes,
  value: (value) => value,
  mayBeIn: () => false,
  stream: () => ({ push: (chunk) => chunk, end: () => Buffer.alloc(0) }),
}

/** As it is, as JSON writes it (PHP escapes slashes), and as addresses do. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  return [secret, json, json.replaceAll('/', '\\/'), encodeURIComponent(secret.replace(/\p{Surrogate}/gu, ''))]
}

/** Half a character is written otherwise where it stands alone: any text may hold it. */
const inJsonOf = (forms: readonly string[], patterns: readonly string[]): RegExp =>
  forms.some((form) => /\p{Surrogate}/u.test(form))
    ? /(?:)/
    : new RegExp([...forms.map((form) => literalOf(JSON.stringify(form).slice(1, -1))), ...patterns].join('|'))

const literalOf = (form: string): string => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const sourceOf = (form: string): string => alone(literalOf(form), form)
const alone = (source: string, form: string): string =>
  form.length >= sureLength ? source : `(?<![A-Za-z0-9])(?:${source})(?![A-Za-z0-9])`

/** Finds most of the secrets in texts without escapes. */
const mayEscape = /[\\%]|&#/
/** of one character, in characters */
const longestEscape = 12

/**
 * A secret with any of its characters escaped, as libraries do by their own taste (`\u002d`, `\/`, `%2D`, `&#45;`),
 * also where JSON stands in JSON.
 */
function escapedOf(secrets: readonly string[]): { text: RegExp; json: RegExp } {
  const sources = secrets.map((secret) => Array.from({ length: secret.length }, (_, i) => anyOf(secret, i)).join(''))
  return {
    text: new RegExp(sources.map((source, i) => alone(source, secrets[i] ?? '')).join('|'), 'g'),
    json: new RegExp(sources.join('|')),
  }
}

const named: Readonly<Record<string, string>> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' }

function anyOf(secret: string, at: number): string {
  const code = secret.charCodeAt(at)
  const hex = (digits: number) =>
    code
      .toString(16)
      .padStart(digits, '0')
      .replace(/[a-f]/g, (c) => `[${c}${c.toUpperCase()}]`)
  const c = secret.charAt(at)
  const forms = [/[A-Za-z0-9]/.test(c) ? c : `\\\\{0,4}${literalOf(c)}`, `\\\\{1,4}u${hex(4)}`]
  if (code < 0x80)
    forms.push(`\\\\{1,4}x${hex(2)}`, `%(?:25){0,2}${hex(2)}`, `&#(?:0{0,4}${code}|[xX]0{0,4}${hex(1)});`)
  const name = named[c]
  if (name !== undefined) forms.push(`\\\\{1,4}${name}`)
  return `(?:${forms.join('|')})`
}

function cleaned(value: unknown, text: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'object' || value === null || depth === 0) return value
  if (value instanceof Error) return cleanError(value, text, depth)
  if (Array.isArray(value)) return cleanList(value, text, depth)
  // Every event and record comes by here, and nearly none holds a secret: nothing is copied before one is found.
  let clean: Record<string, unknown> | null = null
  for (const name of Object.keys(value)) {
    const item: unknown = Reflect.get(value, name)
    const without = cleaned(item, text, depth - 1)
    if (without === item) continue
    clean ??= { ...value }
    Object.defineProperty(clean, name, { value: without, writable: true, enumerable: true, configurable: true })
  }
  return clean ?? value
}

function cleanList(list: readonly unknown[], text: (text: string) => string, depth: number): readonly unknown[] {
  let clean: unknown[] | null = null
  for (const [i, item] of list.entries()) {
    const without = cleaned(item, text, depth - 1)
    if (without === item) continue
    clean ??= [...list]
    clean[i] = without
  }
  return clean ?? list
}

/** Returns an error as a log writes it; the caught error itself is not changed. */
function cleanError(error: Error, text: (text: string) => string, depth: number): Error {
  const message = text(error.message)
  const stack = error.stack === undefined ? undefined : text(error.stack)
  const cause = cleaned(error.cause, text, depth - 1)
  if (message === error.message && stack === error.stack && cause === error.cause) return error
  const copy = new Error(message, { cause })
  return Object.assign(copy, { name: error.name, stack, ...('code' in error ? { code: error.code } : {}) })
}
