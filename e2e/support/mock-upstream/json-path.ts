/** What stands at a path of parsed JSON; undefined where the path ends early. */
export function at(json: unknown, ...path: (string | number)[]): unknown {
  let value = json
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Array.isArray(value) ? value.at(Number(key)) : (value as Readonly<Record<string, unknown>>)[key]
  }
  return value
}
