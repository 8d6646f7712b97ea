import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { limitOldGeneration } from './old-generation.ts'

it('lets the old generation grow to twice of what lives in it, as this V8 may be told', () => {
  const said: string[] = []
  limitOldGeneration((flag) => said.push(flag))
  expect(said).toEqual(['--heap-growing-percent=100'])
  const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
  expect(options).toContain('--heap-growing-percent ')
})
