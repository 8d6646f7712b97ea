import { join } from 'node:path'
import { configJsonSchema } from '../../../shared/config/schema.ts'

export const schemaFileName = 'config.schema.json'

/** Puts the JSON Schema beside the config, so that an editor with `"$schema": "./config.schema.json"` helps to write it. Unchanged: not written. */
export async function writeSchema(home: string, files: { read(path: string): Promise<Buffer | null>; writeAtomic(path: string, data: string): Promise<void> }): Promise<void> {
  const path = join(home, schemaFileName)
  const text = `${JSON.stringify(configJsonSchema(), null, 2)}\n`
  if ((await files.read(path))?.toString('utf8') !== text) await files.writeAtomic(path, text)
}
