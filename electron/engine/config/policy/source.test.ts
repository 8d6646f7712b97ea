import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { waitFor } from '../../../../shared/testing/wait-for.ts'
import { systemClock } from '../../base/clock.ts'
import { silentLog } from '../../base/log.ts'
import { tempFolders } from '../../store/testing/temp-folder.ts'
import { nodeConfigFiles } from '../node-files.ts'
import { openPolicies } from './open-policies.ts'
import { filePolicy, policySources, systemPolicyPath } from './source.ts'

const temp = tempFolders()
const deps = { files: nodeConfigFiles(), clock: systemClock(), log: silentLog }

describe('a policy’s file', () => {
  it('is followed where an administrator’s tool replaces it', async () => {
    const path = join(temp(), 'policy.json')
    const policies = await openPolicies([filePolicy(path, false, deps)], silentLog)
    expect(policies.current()).toEqual([])
    await writeFile(`${path}.new`, '{ "phone": false }')
    await rename(`${path}.new`, path)
    await waitFor('it holds', () => policies.current()[0]?.phone === false)
    await rm(path)
    await waitFor('it is gone', () => policies.current().length === 0)
    policies.dispose()
  })

  it.each<[string, (path: string) => Promise<unknown>]>([
    ['leads to nothing', (path) => symlink(join(path, '..', 'gone.json'), path)],
    ['is a folder', (path) => mkdir(path)],
  ])('that %s is no lack of rules', async (_what, make) => {
    const path = join(temp(), 'policy.json')
    await make(path)
    const policies = await openPolicies([filePolicy(path, false, deps)], silentLog)
    expect(policies.trouble()?.meanwhile).toBe('nothing')
    expect(policies.current().map(({ providers, phone }) => [providers, phone])).toEqual([[[], false]])
    policies.dispose()
  })
})

describe('the sources of a machine', () => {
  it('are where its system keeps such files, whatever the variables say', () => {
    expect(systemPolicyPath('linux')).toBe('/etc/onward/policy.json')
    expect(systemPolicyPath('darwin')).toBe('/Library/Application Support/Onward/policy.json')
    expect(systemPolicyPath('win32')).toBe('C:\\ProgramData\\Onward\\policy.json')
    const named = { ONWARD_POLICY: '/opt/policy.json', ProgramData: 'D:\\mine' }
    expect(policySources({ ProgramData: 'D:\\mine' }, 'win32', deps).map(({ name }) => name)).toEqual([
      systemPolicyPath('win32'),
    ])
    // One more never takes another's place.
    expect(policySources(named, 'linux', deps).map(({ name, required }) => [name, required])).toEqual([
      ['/etc/onward/policy.json', false],
      ['/opt/policy.json', true],
    ])
  })
})
