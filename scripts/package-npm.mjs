// `npm run package:npm [-- --to folder]`: the package that `npm i -g` takes, in `dist/npm`. It is built anew, so that
// it holds what these sources make and nothing older. All but node-pty is bundled: no compiler, no Electron.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const at = process.argv.indexOf('--to')
const folder = resolve(at < 0 ? join(root, 'dist/npm') : (process.argv[at + 1] ?? '.'))
const stage = join(folder, 'package')

function run(program, args, options) {
  const { status, stdout } = spawnSync(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    ...options,
  })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}; what it printed stands above.`)
  return stdout
}

/** What a package needs of ours to be installed and found: nothing that only a repository has. */
function manifest() {
  const { name, version, description, license, type, engines, bin, files, dependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  // npm publishes a statement of where a package was built only with the address of its repository.
  const home = process.env.ONWARD_HOMEPAGE
  const repository = home && { type: 'git', url: `git+${home}.git` }
  // npm links a page of a list only.
  const more = { man: ['man/onward.1'], files: [...files, 'man'], ...(home && { repository }) }
  return { name, version, description, license, type, engines, bin, dependencies, ...more }
}

rmSync(stage, { recursive: true, force: true })
mkdirSync(stage, { recursive: true })
run(process.execPath, [join(root, 'node_modules/electron-vite/bin/electron-vite.js'), 'build', '--logLevel', 'error'], {
  cwd: root,
  env: { ...process.env, ONWARD_OUT: join(stage, 'out') },
})
// The README with all that it leads to.
for (const name of ['bin', 'docs', 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'LICENSE'])
  cpSync(join(root, name), join(stage, name), { recursive: true })
mkdirSync(join(stage, 'man'))
writeFileSync(join(stage, 'man/onward.1'), run(process.execPath, [join(stage, 'out/main/onward.js'), 'man'], {}))
writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: stage }))
process.stdout.write(`${join(folder, packed.filename)}  ${packed.entryCount} files, ${packed.size} bytes\n`)
