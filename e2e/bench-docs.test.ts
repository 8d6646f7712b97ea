/** What README and docs show of the bench is what its kept results give. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writtenDocs } from './bench/write-docs.mjs'

const root = resolve(import.meta.dirname, '..')

describe('what the bench writes', () => {
  it.each(Object.entries(writtenDocs()))('%s is as `npm run bench -- --write-docs` leaves it', (path, text) => {
    expect(readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n')).toBe(text)
  })
})
