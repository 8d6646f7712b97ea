// Builds when a source is newer than the last build, so that `npx vitest` and single specs need no build by hand.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const sources = ['electron', 'renderer', 'shared', 'build', 'electron.vite.config.ts', 'package-lock.json']
const stamp = join(root, 'out/.sources')

/** Names, sizes and times of all sources: contents of megabytes need not be read for it. */
function state() {
  const hash = createHash('sha256')
  const add = (path) => {
    const facts = statSync(join(root, path))
    if (facts.isDirectory()) for (const name of readdirSync(join(root, path)).toSorted()) add(join(path, name))
    else if (!/\.test\.tsx?$/.test(path)) hash.update(`${path} ${facts.size} ${facts.mtimeMs}\n`)
  }
  for (const path of sources) add(path)
  return hash.digest('hex')
}

export function buildIfStale() {
  const now = state()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return
  process.stdout.write('setup: building\n')
  const builder = join(root, 'node_modules/electron-vite/bin/electron-vite.js')
  const { status } = spawnSync(process.execPath, [builder, 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The build failed; what it printed stands above.')
  writeFileSync(stamp, now)
}

if (import.meta.filename === process.argv[1]) buildIfStale()
