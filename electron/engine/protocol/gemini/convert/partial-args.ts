import { asNumber, asObjects, asText } from '../../values.ts'
import type { Draft } from './members.ts'

/** One step of a JSON path as Vertex AI writes it: `.name`, `['name']` or `[0]`. */
const step = /\.([^.[\]]+)|\[(\d+)\]|\[(['"])(.*?)\3\]/g

/** Joins the arguments that Vertex AI streams (`FunctionCall.partialArgs`), text piece by piece. */
export function addPartialArgs(args: Draft, pieces: unknown): void {
  for (const piece of asObjects(pieces)) {
    const path = [...(asText(piece['jsonPath']) ?? '').matchAll(step)].map(
      ([, name, index, , quoted]) => name ?? quoted ?? Number(index),
    )
    const value =
      asText(piece['stringValue']) ??
      asNumber(piece['numberValue']) ??
      (typeof piece['boolValue'] === 'boolean' ? piece['boolValue'] : null)
    if (path.length > 0) put(args, path, value)
  }
}

function put(root: Draft, path: readonly (string | number)[], value: unknown): void {
  let holder: Draft = root
  for (const [i, name] of path.entries()) {
    const next = path[i + 1]
    const before = Object.hasOwn(holder, name) ? holder[name] : undefined
    if (next === undefined)
      define(holder, name, typeof before === 'string' && typeof value === 'string' ? before + value : value)
    else if (typeof before === 'object' && before !== null) holder = before as Draft // a list takes numbers as names
    else {
      const made = (typeof next === 'number' ? [] : {}) as Draft
      define(holder, name, made)
      holder = made
    }
  }
}

/** `__proto__` is a plain name here; a list must not grow to a far index. */
function define(holder: Draft, name: string | number, value: unknown): void {
  const key = Array.isArray(holder) ? Math.min(Number(name), holder.length) : name
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}
