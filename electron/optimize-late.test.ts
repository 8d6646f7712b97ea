import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { unless } from '../shared/testing/unless.ts'
import { optimizeLate } from './optimize-late.ts'

function told(v8: string): { atStart: string[]; after: string[] } {
  const flags: string[] = []
  const optimize = optimizeLate(v8, (flag) => flags.push(flag))
  const atStart = flags.splice(0)
  optimize()
  return { atStart, after: flags }
}
const ofNode20 = process.versions.v8.startsWith('11.') ? null : 'only V8 of Node 20 judges like this'

describe('optimizing late', () => {
  it('is for a start only', () => {
    expect(told('11.3.244.8-node.36')).toEqual({
      atStart: ['--ticks-before-optimization=24', '--max-bytecode-size-for-early-opt=0'],
      after: ['--ticks-before-optimization=3', '--max-bytecode-size-for-early-opt=81'],
    })
  })
  it.each(['12.4.254.21-node.33', '13.6.233.17-node.37', '15.0.1'])('tells nothing to the V8 %s', (v8) => {
    expect(told(v8)).toEqual({ atStart: [], after: [] })
  })
  it('gives back what this V8 begins with', unless(ofNode20), () => {
    const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
    for (const flag of told(process.versions.v8).after) expect(options).toContain(`default: ${flag}`)
  })
})
