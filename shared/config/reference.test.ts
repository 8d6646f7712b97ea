import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { configJsonSchema } from './schema.ts'
import { configReference, membersOf } from './testing/config-reference.ts'

const page = resolve(import.meta.dirname, '../../docs/config-members.md')

describe('the members of the config', () => {
  it('say what they are for, each in a sentence', () => {
    const silent = membersOf(configJsonSchema()).filter(({ about }) => about === '')
    expect(silent.map(({ path }) => path)).toEqual([])
  })

  // Changes show here first; write the page anew with `npx vitest run shared/config/reference -u`.
  it('stand in docs/config-members.md as they are today', async () => {
    await expect(configReference(configJsonSchema())).toMatchFileSnapshot(page)
  })
})
