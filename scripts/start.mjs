// `npm start`: builds when the sources are newer than the last build, then starts the desktop app, or `onward serve`
// where Electron's binary or a display is missing.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const newest = (path) => {
  const info = statSync(path)
  return info.isDirectory() ? Math.max(info.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name)))) : info.mtimeMs
}
const sources = ['electron', 'renderer', 'shared', 'build', 'package.json', 'electron.vite.config.ts']
const built = 'out/main/onward.js'
if (!existsSync(built) || statSync(built).mtimeMs < Math.max(...sources.filter((s) => existsSync(s)).map(newest))) {
  process.stderr.write('Building Onward…\n')
  const { status } = spawnSync(process.execPath, ['node_modules/electron-vite/bin/electron-vite.js', 'build', '--logLevel', 'warn'], { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) process.exit(status ?? 1)
}
await import('../bin/onward.mjs')
