/** Keys and values of the group `[Desktop Entry]`, as they stand there. */
export function entryKeys(text: string): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  let group = ''
  for (const line of text.split('\n')) {
    const head = /^\s*\[(.*)\]\s*$/.exec(line)
    if (head) group = head[1] ?? ''
    const [, key, value] = /^\s*([A-Za-z0-9-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (group === 'Desktop Entry' && key !== undefined && value !== undefined && !keys.has(key)) keys.set(key, value)
  }
  return keys
}

/** Older files say it with a number. */
export const isTrue = (value: string | undefined): boolean => value === 'true' || value === '1'
export const isFalse = (value: string | undefined): boolean => value === 'false' || value === '0'
