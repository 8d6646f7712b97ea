import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { configJsonSchema } from './schema.ts'
import { configTables, membersOf } from './testing/config-reference.ts'

const page = resolve(import.meta.dirname, '../../docs/configuration.md')
const section = /(<!-- members: [^\n]* -->\n)[\s\S]*?(<!-- end -->)/

describe('the members of the config', () => {
  it('say what they are for, each in a sentence', () => {
    const silent = membersOf(configJsonSchema()).filter(({ about }) => about === '')
    expect(silent.map(({ path }) => path)).toEqual([])
  })

  // Changes show here first; write the tables anew with `npx vitest run shared/config/reference -u`.
  it('stand in docs/configuration.md as they are today', async () => {
    const text = readFileSync(page, 'utf8')
    expect(text).toMatch(section)
    const tables = configTables(configJsonSchema())
    const renewed = text.replace(section, (_, begin: string, end: string) => `${begin}\n${tables}\n\n${end}`)
    await expect(renewed).toMatchFileSnapshot(page)
  })
})
