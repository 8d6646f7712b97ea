import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const script = resolve(import.meta.dirname, 'release.mjs')
let folder: string
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
const run = (...args: string[]) => spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' })
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const versions = () => [
  JSON.parse(read('package.json')).version,
  JSON.parse(read('package-lock.json')).version,
  JSON.parse(read('package-lock.json')).packages[''].version,
]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'onward-release-'))
  const version = '0.1.0'
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'onward', version }))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ version, packages: { '': { version } } }))
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## 0.1.0, not released yet\n\n- **Proxy**: first.\n')
  git('init', '--quiet')
  git('config', 'user.name', 'A')
  git('config', 'user.email', 'a@example.org')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Begin')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('npm run release', () => {
  it('makes the number, the changelog and the tag, in one commit', () => {
    expect(run('0.1.0')).toMatchObject({ status: 0, stderr: '' })
    expect(read('CHANGELOG.md')).toMatch(/^## 0\.1\.0, \d{4}-\d\d-\d\d$/m)
    expect([git('log', '-1', '--format=%s'), git('describe'), git('status', '--porcelain')]).toEqual([
      'Release 0.1.0',
      'v0.1.0',
      '',
    ])
    writeFileSync(
      join(folder, 'CHANGELOG.md'),
      read('CHANGELOG.md').replace('## 0', '## Not released yet\n\n- B.\n\n## 0'),
    )
    git('commit', '--quiet', '--all', '--message', 'Say what is new')
    expect(run('0.2.0')).toMatchObject({ status: 0, stderr: '' })
    expect(versions()).toEqual(['0.2.0', '0.2.0', '0.2.0'])
    expect(run('--notes', 'v0.2.0').stdout).toBe('- B.\n')
    expect(run('--notes', 'v0.1.0').stdout).toBe('- **Proxy**: first.\n')
  })

  it.each([
    ['no version', [], /^Name the version/],
    ['what is no version', ['v1'], /^Name the version/],
    ['an older one', ['0.0.9'], /no later version than 0\.1\.0/],
  ])('refuses %s', (_, args, why) => {
    const before = [git('rev-parse', 'HEAD'), ...versions()]
    expect(run(...args)).toMatchObject({ status: 1, stderr: expect.stringMatching(why) })
    expect([git('rev-parse', 'HEAD'), ...versions(), git('tag')]).toEqual([...before, ''])
  })

  it('refuses changes that are not committed, and a version of which nothing is said', () => {
    writeFileSync(join(folder, 'new.txt'), '')
    expect(run('0.1.0').stderr).toMatch(/not committed/)
    rmSync(join(folder, 'new.txt'))
    run('0.1.0')
    expect(run('0.1.0').stderr).toMatch(/tagged already/)
    expect(run('0.2.0').stderr).toMatch(/no section "not released yet"/)
    expect(run('--notes', 'v0.3.0')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/says nothing of 0\.3\.0/),
    })
  })
})
