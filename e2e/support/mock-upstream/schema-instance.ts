/** The smallest value a JSON schema allows, as far as agents' side requests use schemas. Texts are `text`. */
export function instanceOf(schema: unknown, text: string): unknown {
  if (typeof schema !== 'object' || schema === null) return text
  const s = schema as Readonly<Record<string, unknown>>
  if ('const' in s) return s['const']
  if (Array.isArray(s['enum'])) return s['enum'][0]
  for (const key of ['anyOf', 'oneOf']) if (Array.isArray(s[key])) return instanceOf(s[key][0], text)
  const type = Array.isArray(s['type']) ? s['type'][0] : s['type']
  switch (type) {
    case 'object': {
      const properties = typeof s['properties'] === 'object' && s['properties'] !== null ? s['properties'] : {}
      return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, instanceOf(value, text)]))
    }
    case 'array':
      return []
    case 'boolean':
      return false
    case 'integer':
    case 'number':
      return typeof s['minimum'] === 'number' ? s['minimum'] : 0
    case 'null':
      return null
    default:
      return typeof s['maxLength'] === 'number' ? text.slice(0, s['maxLength']) : text
  }
}
