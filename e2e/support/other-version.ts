import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const own = (JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as { version: string })
  .version

/** The build under test with another version in it. @returns its script */
export function otherVersion(version: string): string {
  const built = resolve(import.meta.dirname, '../../out')
  const copy = resolve(import.meta.dirname, `../.artifacts/onward-${version}-${process.pid}`)
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(copy, { recursive: true })
  cpSync(join(built, 'main'), join(copy, 'main'), { recursive: true, filter: (path) => !path.endsWith('.map') })
  for (const folder of ['renderer', 'preload']) symlinkSync(join(built, folder), join(copy, folder))
  const files = readdirSync(join(copy, 'main')).map((name) => join(copy, 'main', name))
  // whichever quotes the build has
  const name = new RegExp(`(["'\`])${own.replaceAll('.', '\\.')}\\1`, 'g')
  const named = files.filter((file) => file.endsWith('.js') && readFileSync(file, 'utf8').search(name) >= 0)
  if (named.length === 0) throw new Error(`the build does not name ${own}`)
  for (const file of named) writeFileSync(file, readFileSync(file, 'utf8').replace(name, `$1${version}$1`))
  return join(copy, 'main', 'onward.js')
}
