// `npm start`: builds when the sources are newer than the last build, then starts the desktop app, or `onward serve`
// where Electron's binary or a display is missing.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const newest = (path) => {
  const info = statSync(path)
  return info.isDirectory()
    ? Math.max(info.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
    : info.mtimeMs
}
const sources = ['electron', 'renderer', 'shared', 'build', 'package.json', 'electron.vite.config.ts']
const built = 'out/main/onward.js'
if (!existsSync(built) || statSync(built).mtimeMs < Math.max(...sources.filter((s) => existsSync(s)).map(newest))) {
  process.stderr.write('Building Onward…\n')
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/electron-vite/bin/electron-vite.js', 'build', '--logLevel', 'warn'],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  if (status !== 0) process.exit(status ?? 1)
}

// Electron's binary is not part of its package: it is fetched once, where a display could show the app.
const hasDisplay = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY
if (
  hasDisplay &&
  !process.env.ELECTRON_BIN &&
  !existsSync('node_modules/electron/path.txt') &&
  process.argv.length === 2
) {
  process.stderr.write('Fetching Electron…\n')
  const { status } = spawnSync(process.execPath, ['node_modules/electron/install.js'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 300_000,
  })
  if (status !== 0)
    process.stderr.write('Electron could not be fetched; the dashboard is served to a browser instead.\n')
}
await import('../bin/onward.mjs')
