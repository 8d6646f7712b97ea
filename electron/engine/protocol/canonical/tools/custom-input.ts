/**
 * Freeform tools for providers that know functions only: the free text becomes the one string member of an object,
 * and comes out of it again as it streams.
 */

/** The parameters of the function that stands for a freeform tool. */
export const inputSchema = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The whole input of the tool, as plain text.' } },
  required: ['input'],
  additionalProperties: false,
} as const

export const wrapInput = (text: string): string => JSON.stringify({ input: text })

/**
 * The text in whole arguments; what is no such object is the text itself: the model wrote it, and the client decides.
 */
export function unwrapInput(args: string): string {
  try {
    const value: unknown = JSON.parse(args)
    if (typeof value === 'string') return value
    if (typeof value === 'object' && value !== null && 'input' in value && typeof value.input === 'string')
      return value.input
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return args
}

export interface InputReader {
  /** a piece of the arguments' JSON. @returns the piece of text that is certain now */
  push(piece: string): string
  /** the arguments are whole. @returns what was still missing */
  end(): string
}

const opening = /^\s*\{\s*"input"\s*:\s*"/
/** As much of the opening as may have come; anything else is read whole at the end. */
const openingSoFar = /^\s*(?:\{\s*(?:"(?:i(?:n(?:p(?:u(?:t(?:"\s*(?::\s*)?)?)?)?)?)?)?)?)?$/

/** Reads the text out of `{"input":"…"}` under any cut, an escape at a time. */
export function inputReader(): InputReader {
  let state: 'opening' | 'text' | 'whole' | 'over' = 'opening'
  let held = ''

  /** `held` begins inside the string */
  function text(): string {
    let end = 0
    let closed = false
    while (end < held.length) {
      const sign = held[end]
      if (sign === '"') {
        closed = true
        break
      }
      if (sign !== '\\') {
        end++
        continue
      }
      const length = held[end + 1] === 'u' ? 6 : 2
      if (end + length > held.length) break
      end += length
    }
    // Half of a surrogate pair waits for the other: alone it would be lost on the way to bytes.
    const cut = closed ? end : beforeHalfPair(held, end)
    const piece = held.slice(0, cut)
    held = held.slice(cut)
    if (closed) {
      state = 'over'
      held = ''
    }
    return decoded(piece)
  }

  return {
    push(piece) {
      if (state === 'over') return ''
      held += piece
      if (state === 'opening') {
        const start = opening.exec(held)
        if (start) {
          state = 'text'
          held = held.slice(start[0].length)
        } else if (!openingSoFar.test(held)) state = 'whole'
      }
      return state === 'text' ? text() : ''
    },
    end() {
      const rest = held
      held = ''
      if (state === 'text') {
        state = 'over'
        return decoded(rest)
      }
      if (state === 'over') return ''
      state = 'over'
      return unwrapInput(rest)
    },
  }
}

const halfPairEscape = /\\u[dD][89abAB][0-9a-fA-F]{2}$/

function beforeHalfPair(text: string, end: number): number {
  const half = halfPairEscape.exec(text.slice(Math.max(0, end - 6), end))
  if (half) return end - 6
  const last = text.charCodeAt(end - 1)
  return end > 0 && last >= 0xd800 && last <= 0xdbff ? end - 1 : end
}

/** A piece of a JSON string; a model's bad escape stays as it wrote it. */
function decoded(piece: string): string {
  if (!piece.includes('\\') && !hasControl(piece)) return piece
  try {
    const value: unknown = JSON.parse(`"${piece}"`)
    return typeof value === 'string' ? value : piece
  } catch (error) {
    if (error instanceof SyntaxError) return piece
    throw error
  }
}

function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 32) return true
  return false
}
