import { asList, asName, asNumber, asObject, asText, type JsonObject } from '../../protocol/values.ts'

/** An error's body, read the same way for every vendor. */
export interface Refusal {
  /** names of the error: its code, its type, its status */
  names: readonly string[]
  message: string
  /** the object with the error; empty where the body is none */
  error: JsonObject
}

/** Characters that are read of a message. */
const longest = 2_000
/** Errors are small. A longer body is no error's, or quotes a request. */
const largest = 64 * 1024

export function readRefusal(body: string | null): Refusal {
  const root = parse(body)
  // Google's streams give their error in a list of one; ChatGPT says `detail`, a stream's end `response.error`.
  const top = asObject(Array.isArray(root) ? root[0] : root) ?? {}
  const error =
    asObject(top['error']) ?? asObject(asObject(top['response'])?.['error']) ?? asObject(top['detail']) ?? top
  const message =
    asText(error['message']) ??
    asText(top['error']) ??
    asText(top['detail']) ??
    asText(top['message']) ??
    (root === undefined ? (body ?? '') : '')
  return {
    names: [error['code'], error['type'], error['status']].flatMap(nameOf),
    message: message.slice(0, longest),
    error,
  }
}

function parse(body: string | null): unknown {
  if (body === null || body.length > largest) return undefined
  try {
    return JSON.parse(body)
  } catch (error) {
    // A page, plain text, or a truncated body: the readers still look at its words.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const nameOf = (value: unknown): string[] => {
  const name = asName(value) ?? asNumber(value)?.toString()
  return name === undefined ? [] : [name]
}

/** Returns the `details` of Google's errors. */
export const detailsOf = ({ error }: Refusal): readonly JsonObject[] =>
  asList(error['details'])
    .slice(0, 20)
    .map(asObject)
    .filter((entry) => entry !== null)
