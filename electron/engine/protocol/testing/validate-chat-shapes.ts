/**
 * Shapes of JSON, strict: a member that is not documented is a problem. Written for the validators of Chat Completions.
 */
export type Report = (problem: string) => void
export type Shape = (value: unknown, path: string, report: Report) => void

const of =
  (what: string, is: (value: unknown) => boolean): Shape =>
  (value, path, report) => {
    if (!is(value)) report(`${path} must be ${what}, is ${JSON.stringify(value)?.slice(0, 80)}`)
  }

export const text = of('a text', (value) => typeof value === 'string')
export const name = of('a text that is not empty', (value) => typeof value === 'string' && value !== '')
export const flag = of('true or false', (value) => typeof value === 'boolean')
export const count = of('a whole number of 0 or more', (value) => Number.isInteger(value) && Number(value) >= 0)
export const nothing = of('null', (value) => value === null)
export const anyObject = of('an object', isObject)
export const between = (low: number, high: number): Shape =>
  of(`a number from ${low} to ${high}`, (value) => typeof value === 'number' && value >= low && value <= high)
export const words = (...allowed: readonly string[]): Shape =>
  of(`one of ${allowed.join(', ')}`, (value) => typeof value === 'string' && allowed.includes(value))
export const matching = (pattern: RegExp): Shape =>
  of(`a text like ${pattern.source}`, (value) => typeof value === 'string' && pattern.test(value))

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const orNull =
  (shape: Shape): Shape =>
  (value, path, report) => {
    if (value !== null) shape(value, path, report)
  }

export function listOf(shape: Shape, least = 0, most = Number.POSITIVE_INFINITY): Shape {
  return (value, path, report) => {
    if (!Array.isArray(value)) return report(`${path} must be a list`)
    if (value.length < least || value.length > most) report(`${path} has ${value.length} entries`)
    value.forEach((entry, i) => shape(entry, `${path}[${i}]`, report))
  }
}

export const mapOf =
  (shape: Shape): Shape =>
  (value, path, report) => {
    if (!isObject(value)) return report(`${path} must be an object`)
    for (const [key, entry] of Object.entries(value)) shape(entry, `${path}.${key}`, report)
  }

/** An object with exactly these members; the optional ones may be absent. */
export function object(
  required: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): Shape {
  return (value, path, report) => {
    if (!isObject(value)) return report(`${path} must be an object`)
    for (const [key, shape] of Object.entries(required)) {
      if (key in value) shape(value[key], `${path}.${key}`, report)
      else report(`${path}.${key} is missing`)
    }
    for (const [key, entry] of Object.entries(value)) {
      if (key in required) continue
      const shape = optional[key]
      if (shape) shape(entry, `${path}.${key}`, report)
      else report(`${path}.${key} is not documented`)
    }
  }
}

/** The shape that a member's value selects. */
export const by =
  (key: string, shapes: Readonly<Record<string, Shape>>): Shape =>
  (value, path, report) => {
    const kind = isObject(value) ? value[key] : undefined
    const shape = typeof kind === 'string' ? shapes[kind] : undefined
    if (shape) shape(value, path, report)
    else report(`${path}.${key} must be one of ${Object.keys(shapes).join(', ')}, is ${JSON.stringify(kind)}`)
  }

export const either =
  (first: (value: unknown) => boolean, yes: Shape, no: Shape): Shape =>
  (value, path, report) =>
    (first(value) ? yes : no)(value, path, report)
export const isText = (value: unknown): boolean => typeof value === 'string'

export function problemsOf(shape: Shape, value: unknown, path: string): string[] {
  const problems: string[] = []
  shape(value, path, (problem) => problems.push(problem))
  return problems
}
