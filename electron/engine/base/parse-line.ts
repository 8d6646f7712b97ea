/** One line of a JSONL file; null for what is no JSON, or none of ours. */
export function parseLine<T>(line: string, parse: (value: unknown) => T | null): T | null {
  try {
    return parse(JSON.parse(line))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
