import { record } from './facts.ts'

/** Returns a small value that fits a JSON Schema as clients use it for titles and verdicts. Not a general generator. */
export function valueFor(schema: unknown, name = 'value', depth = 0): unknown {
  const s = record(schema)
  if ('const' in s) return s['const']
  if (Array.isArray(s['enum'])) return s['enum'][0] ?? null
  for (const choice of ['anyOf', 'oneOf', 'allOf']) {
    const options = s[choice]
    if (Array.isArray(options) && options.length > 0) return valueFor(options[0], name, depth + 1)
  }
  const named: unknown = Array.isArray(s['type']) ? s['type'][0] : s['type']
  // Gemini's own schemas write types in capitals.
  const type = typeof named === 'string' ? named.toLowerCase() : named
  if (depth > 8) return null
  switch (type) {
    case 'string':
      return name === 'title'
        ? 'Simulated session'
        : `simulated ${name}`.slice(0, typeof s['maxLength'] === 'number' ? s['maxLength'] : 80)
    case 'number':
    // Scores and counts, which often may not be 0.
    case 'integer':
      return typeof s['minimum'] === 'number' ? s['minimum'] : 1
    case 'boolean':
      return false
    case 'null':
      return null
    case 'array':
      return typeof s['minItems'] === 'number'
        ? Array.from({ length: Math.min(s['minItems'], 20) }, () => valueFor(s['items'], name, depth + 1))
        : []
    default:
      return Object.fromEntries(
        Object.entries(record(s['properties'])).map(([key, value]) => [key, valueFor(value, key, depth + 1)]),
      )
  }
}
