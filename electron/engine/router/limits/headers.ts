/** Headers by lower-case name, one value each. Values longer than any of these can sensibly be are left out. */
export type PlainHeaders = ReadonlyMap<string, string>

const longest = 200

export function plainHeaders(headers: Readonly<Record<string, unknown>>): PlainHeaders {
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    const one: unknown = Array.isArray(value) ? value[0] : value
    const text = typeof one === 'number' ? String(one) : typeof one === 'string' ? one.trim() : ''
    if (text !== '' && text.length <= longest) found.set(name.toLowerCase(), text)
  }
  return found
}

/** Reads a plain decimal number; null for anything else that JavaScript would take for one. */
export function numberIn(text: string | undefined): number | null {
  return text !== undefined && /^-?\d{1,18}(?:\.\d{1,18})?$/.test(text) ? Number(text) : null
}
