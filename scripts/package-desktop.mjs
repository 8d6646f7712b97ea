// `npm run package`: every target of this system in `dist/desktop`, built anew. `npm run package:dir`: the program as a
// folder, without an installer. Of a target whose tool is not there it says so, and builds the others.
//   --dir             no installer
//   --electron DIR    Electron from this folder instead of a download
//   --to DIR          somewhere else than dist/desktop
//   --target NAME     this one only
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    dir: { type: 'boolean' },
    electron: { type: 'string' },
    to: { type: 'string' },
    target: { type: 'string' },
  },
})
const to = resolve(values.to ?? join(root, 'dist/desktop'))
const out = join(to, 'built')
/** One at a time, so that one without its tool takes none of the others along. */
const targets = values.dir
  ? ['dir']
  : values.target
    ? [values.target]
    : { linux: ['AppImage', 'deb', 'rpm'], darwin: ['dmg', 'zip'], win32: ['nsis'] }[process.platform]
const system = { linux: '--linux', darwin: '--mac', win32: '--win' }[process.platform]

function run(script, args, env = {}) {
  return spawnSync(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 28,
    env: { ...process.env, ...env },
  })
}

rmSync(to, { recursive: true, force: true })
mkdirSync(to, { recursive: true })
const build = run('electron-vite/bin/electron-vite.js', ['build', '--logLevel', 'error'], { ONWARD_OUT: out })
if (build.status !== 0) throw new Error(`The build failed.\n${build.stdout}${build.stderr}`)
const page = spawnSync(process.execPath, [join(out, 'main/onward.js'), 'man'])
if (page.status !== 0) throw new Error(`The manual page can’t be made.\n${page.stderr}`)
mkdirSync(join(out, 'man'))
writeFileSync(join(out, 'man/onward.1.gz'), gzipSync(page.stdout, { level: 9 }))

let failed = 0
for (const target of targets) {
  const args = [system, target, '--publish', 'never', '--config', 'build/electron-builder.mjs']
  const where = [
    `-c.directories.output=${to}`,
    ...(values.electron ? [`-c.electronDist=${resolve(values.electron)}`] : []),
  ]
  const { status, stdout, stderr } = run('electron-builder/cli.js', [...args, ...where], { ONWARD_OUT: out })
  const said = `${stdout}${stderr}`
  // fpm, the AppImage runtime and NSIS are fetched when they are first needed.
  const unreached =
    /cannot (?:resolve|download)|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|SELF_SIGNED_CERT|status code|getaddrinfo/i.exec(
      said,
    )
  if (status === 0) process.stdout.write(`${target}: built\n`)
  else if (unreached) process.stdout.write(`${target}: skipped, its tool can’t be fetched here (${unreached[0]})\n`)
  else {
    failed++
    process.stdout.write(`${target}: failed\n${said}\n`)
  }
}
rmSync(out, { recursive: true, force: true })
process.stdout.write(`In ${to}\n`)
process.exitCode = failed === 0 ? 0 : 1
