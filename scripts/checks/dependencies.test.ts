/** The project's dependencies: nothing unknown, nothing that runs when it is installed. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { documents, root, sectionOf, tableOf, type Document } from '../../electron/cli/testing/documents.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const versions = z.record(z.string(), z.string()).optional()
const manifest = (folder: string): Record<string, string> => {
  const { dependencies, devDependencies, optionalDependencies } = z
    .object({ dependencies: versions, devDependencies: versions, optionalDependencies: versions })
    .parse(JSON.parse(read(join(folder, 'package.json'))))
  return { ...dependencies, ...devDependencies, ...optionalDependencies }
}
const locked = (folder: string) =>
  Object.entries(
    z
      .object({
        packages: z.record(
          z.string(),
          z.object({
            name: z.string().optional(),
            hasInstallScript: z.boolean().optional(),
            dependencies: versions,
            optionalDependencies: versions,
            integrity: z.string().optional(),
            resolved: z.string().optional(),
          }),
        ),
      })
      .parse(JSON.parse(read(join(folder, 'package-lock.json')))).packages,
  ).flatMap(([path, one]) =>
    path === '' ? [] : [{ ...one, path, name: one.name ?? path.replace(/^.*node_modules\//, '') }],
  )
const folders = ['.', 'e2e/agents']

const page = documents.find(({ path }) => path === 'docs/dependencies.md')
const told = (): Document => {
  if (page === undefined) throw new Error('there is no docs/dependencies.md')
  return page
}
const rowsOf = (heading: string, header: string): [name: string, why: string][] =>
  tableOf(sectionOf(told(), heading), header).flatMap(([names = '', why = '']) =>
    names.split(', ').map((name): [string, string] => [name, why]),
  )

describe('a package', () => {
  it.each(folders)('runs nothing when it is installed in %s', (folder) => {
    expect(read(join(folder, '.npmrc')).split('\n')).toContain('ignore-scripts=true')
  })

  it.each(folders)('warns of nothing that a newcomer has to leave aside, in %s', (folder) => {
    const run = spawnSync('npm', ['ci', '--dry-run', '--offline'], { cwd: join(root, folder), encoding: 'utf8' })
    expect(run.stderr).toBe('')
  })

  it('that would is a known one', () => {
    const would = folders.flatMap((folder) => locked(folder).filter((one) => one.hasInstallScript === true))
    const known = rowsOf('Packages with an install script', 'package').map(([name]) => name)
    expect([...new Set(would.map(({ name }) => name))].sort()).toEqual([...known].sort())
  })

  it('that would is none of what the program is made of', () => {
    const made = ['In the engine, the desktop app and the command line', 'In the dashboard'].flatMap((heading) =>
      rowsOf(heading, 'package').map(([name]) => name),
    )
    const all = locked('.')
    const shipped = new Set<string>()
    const take = (name: string): void => {
      for (const one of all.filter(({ path }) => path.endsWith(`node_modules/${name}`) && !shipped.has(path))) {
        shipped.add(one.path)
        Object.keys({ ...one.dependencies, ...one.optionalDependencies }).forEach(take)
      }
    }
    // Electron's own packages fetch its program; nothing of them is bundled.
    for (const name of made.filter((name) => name !== 'electron')) take(name)
    expect(shipped.size).toBeGreaterThan(40)
    expect(all.filter((one) => one.hasInstallScript === true && shipped.has(one.path))).toEqual([])
  })

  it.each(folders)('comes from the registry with its hash, in %s', (folder) => {
    const strange = locked(folder).filter(
      ({ integrity = '', resolved = 'https://registry.npmjs.org/' }) =>
        !integrity.startsWith('sha512-') || !resolved.startsWith('https://registry.npmjs.org/'),
    )
    expect(strange.map(({ path }) => path)).toEqual([])
  })

  it.each(folders)('that is asked for by name has one version, in %s', (folder) => {
    const loose = Object.entries(manifest(folder)).filter(
      ([, version]) => !/^(?:npm:(?:@[\w-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version),
    )
    expect(loose).toEqual([])
  })
})

describe('docs/dependencies.md', () => {
  const ours = [
    'In the engine, the desktop app and the command line',
    'In the dashboard',
    'For building and checking',
    'For tests',
  ].flatMap((heading) => rowsOf(heading, 'package'))

  it('names every package that is asked for by name, once, and no other', () => {
    expect(ours.map(([name]) => name).sort()).toEqual(Object.keys(manifest('.')).sort())
    expect(
      rowsOf('For tests', 'agent')
        .map(([name]) => name)
        .sort(),
    ).toEqual(Object.keys(manifest('e2e/agents')).sort())
  })

  it('says why each is there', () => {
    expect(ours.filter(([, why]) => why.length < 8)).toEqual([])
  })
})
