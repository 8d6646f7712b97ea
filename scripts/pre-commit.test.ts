/** The hook that CONTRIBUTING.md switches on, in a repository of its own. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { unless } from '../shared/testing/unless.ts'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'onward-hook-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' }
const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, env, encoding: 'utf8' })
const commit = (text: string) => {
  writeFileSync(join(folder, 'a.ts'), text)
  git('add', 'a.ts')
  return git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-m', 'one')
}

describe('a commit', unless(process.platform === 'win32' ? 'the hook is a shell script' : null), () => {
  it('is refused while what it has is not formatted, and says how to mend that', () => {
    git('init')
    git('config', 'core.hooksPath', join(root, '.githooks'))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    copyFileSync(join(root, '.oxfmtrc.json'), join(folder, '.oxfmtrc.json'))
    const refused = commit('const  a = "b";\n')
    expect(refused.status).toBe(1)
    expect(refused.stderr).toContain('npm run format')
    expect(commit("export const a = 'b'\n").status).toBe(0)
  })
})
