import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterTest, longest, onlyInTestAll } from './which-run.ts'

const root = resolve(import.meta.dirname, '..')

/** Every test file, from the root of the repository, with `/`. */
export const testFiles = (): readonly string[] =>
  ['electron', 'shared', 'renderer', 'scripts', 'e2e'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => /\.(test|spec)\.tsx?$/.test(path) && !path.includes('node_modules')),
  )

export const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

/** The file has more cases in `npm run test:all` than in `npm test`, by name: not the same ones more often. */
const hasMoreCases = (text: string): boolean =>
  /import \{[^}]*\bsample\b[^}]*\} from '[^']*\/testing\/runs\.ts'/.test(text)

const after = new Set(Object.values(afterTest).flat())

/** What `npm test` leaves out. */
export const notInTest = (): readonly string[] => [...after, ...Object.keys(onlyInTestAll)]

/** What `npm run test:rest` leaves out after `npm test`. */
export const notInRest = (): readonly string[] =>
  testFiles().filter((file) => file in onlyInTestAll || (!after.has(file) && !hasMoreCases(textOf(file))))

const placeOf = (path: string): number => {
  const at = longest.findIndex((file) => path.replaceAll('\\', '/').endsWith(`/${file}`))
  return at === -1 ? longest.length : at
}

/** The files that take longest before the others, which stay in their order. */
export const longestFirst = <T extends { moduleId: string }>(files: readonly T[]): T[] =>
  files.toSorted((a, b) => placeOf(a.moduleId) - placeOf(b.moduleId))
