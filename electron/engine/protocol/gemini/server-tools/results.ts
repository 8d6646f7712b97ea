import type { CallResult } from '../../server-tools/types.ts'

/**
 * An id that Onward made from a call's place, since the model gave none. Models of other APIs number theirs `call_0`.
 */
export const placeId = (place: number): string => `#call_${place}`
const isPlaceId = (id: string): boolean => /^#call_\d+$/.test(id)

/**
 * Google reads `output` and `error` by name (FunctionResponse.response). A call without an id gets a result without
 * one: those are matched by name and order.
 */
const part = ({ call, text, isError }: CallResult): object => ({
  functionResponse: {
    ...(isPlaceId(call.id) ? {} : { id: call.id }),
    name: call.name,
    response: { [isError ? 'error' : 'output']: text },
  },
})

/** Puts all into one content: Google wants as many results after a content as it had calls. */
export const resultItems = (results: readonly CallResult[]): Buffer[] =>
  results.length === 0 ? [] : [content('user', results.map(part))]

export const resultsBeside = (results: readonly CallResult[]): string[] =>
  results.map((result) => JSON.stringify(part(result)))

export const userItem = (text: string): Buffer => content('user', [{ text }])

const content = (role: 'user' | 'model', parts: readonly object[]): Buffer =>
  Buffer.from(JSON.stringify({ role, parts }))
