import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { unless } from '../shared/testing/unless.ts'
import { newHome, removeHomes, startEngine } from './support/engine-process.ts'

afterAll(removeHomes)

const filesIn = (home: string): string[] =>
  readdirSync(join(home, 'compiled-code'), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

const canNot = Number.parseInt(process.versions.node, 10) >= 22 ? null : 'Node 20 keeps none'

describe('compiled code that is kept', unless(canNot), () => {
  it('is written by an engine that ends, for the next one', async () => {
    const home = newHome()
    await (await startEngine({ home })).stop()
    const [gone = '', ...kept] = filesIn(home)
    expect(kept.length).toBeGreaterThan(10)
    rmSync(gone)
    await (await startEngine({ home })).stop()
    expect(filesIn(home)).toContain(gone)
  })
})
