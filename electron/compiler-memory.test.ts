import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { unless } from '../shared/testing/unless.ts'
import { freeCompilerAtOnce } from './compiler-memory.ts'

function told(v8: string): string[] {
  const flags: string[] = []
  freeCompilerAtOnce(v8, (flag) => flags.push(flag))
  return flags
}
const ofNode24 = process.versions.v8.startsWith('13.') ? null : 'only V8 of Node 24 is told'

describe('the compiler’s memory', () => {
  it('goes at once in Node 24', () => {
    expect(told('13.6.233.17-node.37')).toEqual(['--no-maglev-destroy-on-background'])
  })
  it.each(['11.3.244.8-node.36', '12.4.254.21-node.33', '14.0.1', '15.0.1'])('is left to the V8 %s', (v8) => {
    expect(told(v8)).toEqual([])
  })
  it('is what this V8 may be told', unless(ofNode24), () => {
    const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
    expect(options).toContain('default: --maglev-destroy-on-background')
  })
})
