import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { onlyInTestAll } from './which-run.ts'

const root = resolve(import.meta.dirname, '..')

/** Every test file, from the root of the repository, with `/`. */
export const testFiles = (): readonly string[] =>
  ['electron', 'shared', 'renderer', 'scripts', 'e2e'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => /\.(test|spec)\.tsx?$/.test(path) && !path.includes('node_modules')),
  )

export const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

/** The file asks how much to run, by name: `npm run test:all` shows more with it than `npm test` does. */
const asksHowMuch = (text: string): boolean =>
  /import \{[^}]*\b(everything|runs|sample|share)\b[^}]*\} from '[^']*\/testing\/runs\.ts'/.test(text)

/** With which `npm run test:all` shows nothing that `npm test` does not. */
export const sameInBoth = (): readonly string[] =>
  testFiles().filter((file) => !(file in onlyInTestAll) && !asksHowMuch(textOf(file)))
