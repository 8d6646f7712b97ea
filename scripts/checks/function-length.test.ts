/** A function that a person can read without turning a page twice: `npm run size` lists longer ones. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { longFunctions, sources } from '../size.mjs'

const root = resolve(import.meta.dirname, '../..')
const functionOf = (lines: number) => `function said() {\n${'  say()\n'.repeat(lines - 2)}}\n`

describe('functions', () => {
  it('of the product have at most 120 lines', () => {
    const files = sources()
    expect(files.length).toBeGreaterThan(1_000)
    const found = files.flatMap((file) => longFunctions(file, readFileSync(join(root, file), 'utf8')))
    expect(found).toEqual([])
  })

  it('are found when they have more', () => {
    expect(longFunctions('said.ts', functionOf(120))).toEqual([])
    expect(longFunctions('said.ts', functionOf(121))).toEqual([{ file: 'said.ts', name: 'said', lines: 121 }])
  })
})
