import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'

/** Makes a new folder at each call and removes it after the test. Call it at the top level of a test file. */
export function tempFolders(): () => string {
  const made: string[] = []
  afterEach(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
  return () => {
    const folder = mkdtempSync(join(tmpdir(), 'onward-store-'))
    made.push(folder)
    return folder
  }
}
