import { join } from 'node:path'
import { configJsonSchema } from '../../../shared/config/schema.ts'

export const schemaFileName = 'config.schema.json'

/**
 * Puts the JSON Schema beside the config, so that an editor with `"$schema": "./config.schema.json"` helps to write it.
 * Unchanged: not written.
 */
export async function writeSchema(
  home: string,
  files: { read(path: string): Promise<Buffer | null>; writeAtomic(path: string, data: string): Promise<void> },
): Promise<void> {
  const path = join(home, schemaFileName)
  // Read first: making the schema takes milliseconds, which must not come on top of those the start takes in one piece.
  const there = await files.read(path)
  const text = `${JSON.stringify(configJsonSchema(), null, 2)}\n`
  if (there?.toString('utf8') !== text) await files.writeAtomic(path, text)
}
