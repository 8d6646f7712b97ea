/** A member that no reader knows, to be put into each object of a JSON value in turn. */
export const stray = 'x_vendor_thing'

interface Strayed {
  /** the place of the member, e.g. `choices[0].message` */
  path: string
  value: unknown
}

type Path = readonly (string | number)[]

/** `skip` gets the path, with every index as `[]`, and is true for a place to leave alone with everything below it. */
export function withStray(value: unknown, skip: (path: string) => boolean): Strayed[] {
  return placesOf(value, [], skip).map((path) => ({ path: nameOf(path), value: put(value, path) }))
}

function placesOf(value: unknown, at: Path, skip: (path: string) => boolean): Path[] {
  if (typeof value !== 'object' || value === null || skip(nameOf(at).replace(/\[\d+\]/g, '[]'))) return []
  const inner = Array.isArray(value)
    ? value.flatMap((entry: unknown, i) => placesOf(entry, [...at, i], skip))
    : Object.entries(value).flatMap(([name, entry]) => placesOf(entry, [...at, name], skip))
  return Array.isArray(value) ? inner : [at, ...inner]
}

const nameOf = (path: Path): string =>
  path.map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`)).join('')

function put(value: unknown, [step, ...rest]: Path): unknown {
  if (step === undefined) return { ...Object(value), [stray]: { says: 'something' } }
  if (Array.isArray(value)) return value.map((entry: unknown, i) => (i === step ? put(entry, rest) : entry))
  const object: Record<string, unknown> = { ...Object(value) }
  return { ...object, [step]: put(object[step], rest) }
}
