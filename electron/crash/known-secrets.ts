/** Keys that this Onward knows, so that none of them gets into a report. Read at once: the program is about to end. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Env = Readonly<Record<string, string | undefined>>

export function knownSecrets(home: string, env: Env): string[] {
  const named = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i.test(name) ? [value] : [],
  )
  const files = ['secrets.json', 'config.json', 'control-token'].flatMap((name) => textsIn(join(home, name)))
  return [...named, ...files].filter((text) => text.length >= 8)
}

/**
 * Every text of a JSON file that could be a key: none has a space in it. A file that can't be read holds none for us.
 */
function textsIn(file: string): string[] {
  try {
    const text = readFileSync(file, 'utf8')
    if (!file.endsWith('.json')) return [text.trim()]
    return Array.from(text.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?/g), ([, found = '', name]) =>
      name ? '' : found,
    ).filter((found) => /\d/.test(found) && !/^https?:|[/\\\s]/.test(found))
  } catch {
    return []
  }
}
