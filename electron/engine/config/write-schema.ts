import { join } from 'node:path'

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
  const there = await files.read(path)
  // As it is published: to make it from the config's validators takes a start ten milliseconds in one piece.
  const { default: schema } = await import('../../../shared/config/schema.json')
  const text = `${JSON.stringify(schema, null, 2)}\n`
  if (there?.toString('utf8') !== text) await files.writeAtomic(path, text)
}
