import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const run = promisify(execFile)

describe('the layout of the repository', () => {
  it('keeps the import rules of spec 00', async () => {
    const { stdout } = await run(
      process.execPath,
      [
        'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
        '--config',
        '.dependency-cruiser.cjs',
        '--output-type',
        'json',
        'electron',
        'renderer',
        'shared',
      ],
      { maxBuffer: 256 * 1024 * 1024 },
    )
    const { summary } = JSON.parse(stdout) as {
      summary: { violations: { rule: { name: string }; from: string; to: string }[]; totalCruised: number }
    }
    expect(summary.totalCruised).toBeGreaterThan(50)
    expect(summary.violations.map((v) => `${v.rule.name}: ${v.from} -> ${v.to}`)).toEqual([])
  })

  it('has clean lint', async () => {
    expect(
      await complaints(
        'node_modules/oxlint/bin/oxlint',
        '--deny-warnings',
        'electron',
        'renderer',
        'shared',
        'e2e',
        'scripts',
      ),
    ).toBe('')
  })

  it('has clean types', async () => {
    expect(await complaints('node_modules/typescript/bin/tsc', '-p', '.')).toBe('')
  })
})

/** What a checker prints when it finds something; empty when it is content. */
async function complaints(file: string, ...args: string[]): Promise<string> {
  try {
    await run(process.execPath, [file, ...args], { maxBuffer: 64 * 1024 * 1024 })
    return ''
  } catch (error) {
    return error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)
  }
}
