/** One line of a JSONL file; null for what is no JSON, or none of ours. */
export function parseLine<T>(line: string, parse: (value: unknown) => T | null): T | null {
  try {
    return parse(JSON.parse(line))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** null when it is no valid percent-encoding: such a key or name matches nothing. */
export function percentDecoded(text: string): string | null {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

/**
 * Says to zod that something is parsed once or now and then: it compiles a function for each shape of object at the
 * first parse, which pays for what is parsed thousands of times, and for the config's takes 9 ms of a start.
 */
export const parsedOnce = { jitless: true } as const
