import { expect, it } from 'vitest'
import { configJsonSchema } from './schema.ts'

// A change of the schema shows here first; write the file anew with `npx vitest run shared/config -u`.
it('schema.json is the schema of today', async () => {
  await expect(`${JSON.stringify(configJsonSchema(), null, 2)}\n`).toMatchFileSnapshot('./schema.json')
})
