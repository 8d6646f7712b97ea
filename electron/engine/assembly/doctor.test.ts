import { describe, expect, it } from 'vitest'
import type { KeyValue } from '../config/types.ts'
import { keyFinding } from './doctor.ts'

describe('a finding about a key', () => {
  const finding = (value: KeyValue, alias: string) => keyFinding({ key: () => value }, 'glm', alias)

  it('names the key and its provider, so that no two read alike', () => {
    const value: KeyValue = { ok: true, value: 'sk-1' }
    expect(finding(value, 'main').say).toBe('The key main of glm has a value.')
    expect(finding(value, 'spare').say).toBe('The key spare of glm has a value.')
  })

  it('says why there is no value, and how to mend it', () => {
    const { ok, say, mend } = finding({ ok: false, why: 'the environment variable GLM is not set' }, 'main')
    expect([ok, say]).toEqual([false, 'The key main of glm has no value: the environment variable GLM is not set.'])
    expect(mend).not.toBeNull()
  })
})
