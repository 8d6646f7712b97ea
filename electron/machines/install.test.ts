/** The scripts that install Onward, run by a real shell in a home folder of a test, as sshd would have it run them. */
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { onWindows, unless } from '../../shared/testing/unless.ts'
import type { InstallPlan, InstallStep } from '../../shared/machines.ts'
import { install, planInstall, type InstallDeps } from './install.ts'
import { machineOf } from './machine.ts'
import { tarOf } from './tar.ts'

const box = machineOf({ name: 'box', target: 'ada@box', program: null })
const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** An installation here that says its version, and a person there with a Node and nothing else. */
function world(version = '1.2.3', ends = `console.log('${version}')`) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'onward-install-')))
  made.push(root)
  const file = (path: string, text: string, mode = 0o600) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    chmodSync(join(root, path), mode)
  }
  file('here/out/main/onward.js', ends)
  file('here/out/main/onward.js.map', 'not sent')
  file(`here/out/renderer/${'long-'.repeat(15)}/${'name-'.repeat(15)}.js`, 'x')
  file('here/LICENSE', 'MIT')
  for (const [name, own] of [
    ['node-pty', '@lydell/node-pty'],
    ['@napi-rs/keyring', '@napi-rs/keyring'],
  ] as const) {
    file(
      `here/node_modules/${name}/package.json`,
      JSON.stringify({ name: own, version: '9.9.9', optionalDependencies: { [`${own}-x`]: '1', absent: '1' } }),
    )
    file(`here/node_modules/${own}-x/package.json`, JSON.stringify({ name: `${own}-x`, version: '9.9.9' }))
  }
  file('here/node_modules/node-pty/index.js', "require('@lydell/node-pty-x')")
  file('here/node_modules/@lydell/node-pty-x/index.js', '')
  mkdirSync(join(root, 'home'))
  const bin = join(root, 'bin')
  mkdirSync(bin)
  symlinkSync(process.execPath, join(bin, 'node'))
  const env = { HOME: join(root, 'home'), PATH: `${bin}:/usr/bin:/bin`, SHELL: join(root, 'login') }
  // as sshd's, but quick: it reads no start files but this
  file('login', '#!/bin/sh\n[ ! -r ~/.rc ] || . ~/.rc\neval "$2"\n', 0o700)
  const commands: string[] = []
  const deps: InstallDeps = {
    version,
    root: join(root, 'here'),
    folder: null,
    spawn(words) {
      const command = words.at(-1) ?? ''
      commands.push(command)
      return spawn('/bin/sh', ['-c', command], { env, stdio: ['pipe', 'pipe', 'pipe'] })
    },
  }
  return {
    root,
    env,
    deps,
    file,
    commands,
    home: (path: string) => join(root, 'home', path),
    left: () => readdirSync(join(root, 'home'), { recursive: true }),
    plan: () => planInstall(box, deps),
  }
}
async function all(steps: AsyncIterable<InstallStep>): Promise<string[]> {
  const kinds: string[] = []
  for await (const { kind } of steps) if (kinds.at(-1) !== kind) kinds.push(kind)
  return kinds
}
const done = async (on: ReturnType<typeof world>, plan?: InstallPlan) =>
  all(install(box, on.deps, (plan ?? (await on.plan())).fingerprint))

describe('installing Onward on a machine', unless(onWindows), () => {
  it('shows all that it runs and changes nothing before it is told to; then the command is there', async () => {
    const on = world()
    const plan = await on.plan()
    expect(plan).toMatchObject({
      version: '1.2.3',
      folder: on.home('.local/share/onward/1.2.3'),
      command: on.home('.local/bin/onward'),
      node: { path: join(on.root, 'bin/node'), version: process.versions.node },
      fetches: [],
    })
    expect(on.left()).toEqual([])
    expect(await done(on, plan)).toEqual(['sending', 'checking'])
    expect(on.commands.at(-1)).toBe(`exec /bin/sh -c '${plan.runs.join('; ')}'`)
    // every login shell reads them alike
    for (const command of on.commands) expect(command.slice(17, -1)).not.toMatch(/['\\\n]/)
    expect(readlinkSync(on.home('.local/bin/onward'))).toBe('../share/onward/1.2.3/bin/onward')
    expect(execFileSync(on.home('.local/bin/onward'), { env: on.env, encoding: 'utf8' })).toBe('1.2.3\n')
    expect(readdirSync(on.home('.local/share/onward'))).toEqual(['1.2.3'])
    expect(on.left().filter((path) => String(path).endsWith('.map'))).toEqual([])
    // the removal that was shown
    execFileSync('/bin/sh', ['-c', /"(.*)"$/.exec(plan.undo)?.[1] ?? 'false'], { env: on.env })
    expect(on.left().filter((path) => String(path).includes('onward'))).toEqual([])
  })

  it.each([
    ['does not start', world.bind(null, '1.2.3', "throw new Error('no')"), /it does not start/],
    ['is of another version', world.bind(null, '1.2.3', "console.log('1.2.4')"), /it does not start/],
    [
      'has no terminal library that runs there',
      () => {
        const on = world()
        on.file('here/node_modules/@lydell/node-pty-x/index.js', "throw new Error('made for another libc\\nsee there')")
        return on
      },
      /made for another libc\. Nothing of it is left/,
    ],
  ])('leaves nothing, to the last folder, where what came %s', async (_what, begin, sentence) => {
    const on = begin()
    await expect(done(on)).rejects.toMatchObject({
      code: 'machine-install-failed',
      message: expect.stringMatching(sentence),
    })
    expect(on.left()).toEqual([])
  })

  it('leaves nothing where the line ends in the middle, and what was there stays', async () => {
    const on = world()
    on.file('home/.local/bin/mine', 'x')
    const { fingerprint } = await on.plan()
    let shell: ReturnType<typeof on.deps.spawn> | null = null
    const spawned = on.deps.spawn
    on.deps.spawn = (words) => (shell = spawned(words))
    for await (const { kind } of install(box, on.deps, fingerprint)) if (kind === 'sending') break
    await new Promise((over) => shell?.once('close', over))
    expect(on.left().sort()).toEqual(['.local', '.local/bin', '.local/bin/mine'])
  })

  it('takes away what one left that was killed, but not what another is about to install', async () => {
    const on = world()
    on.file('home/.local/share/onward/.new-99999999/half', 'x')
    on.file(`home/.local/share/onward/.new-${process.pid}/half`, 'x')
    await done(on)
    expect(readdirSync(on.home('.local/share/onward')).sort()).toEqual([`.new-${process.pid}`, '1.2.3'])
  })

  it('does not do what was not shown', async () => {
    const on = world()
    const plan = await on.plan()
    on.deps.version = '1.2.4'
    await expect(done(on, plan)).rejects.toMatchObject({ code: 'machine-install-changed' })
    expect(on.left()).toEqual([])
  })

  it('puts a newer one in the place of an older of ours, and says so where nothing is to be done', async () => {
    const on = world('1.2.3')
    await done(on)
    await expect(on.plan()).rejects.toMatchObject({ code: 'machine-has-onward', message: /has Onward 1\.2\.3/ })
    on.file('here/out/main/onward.js', "console.log('1.3.0')")
    on.deps.version = '1.3.0'
    await done(on)
    expect(execFileSync(on.home('.local/bin/onward'), { env: on.env, encoding: 'utf8' })).toBe('1.3.0\n')
  })

  it.each(['home/.local/bin/onward', 'bin/onward'])('leaves an onward alone that is not ours: %s', async (path) => {
    const on = world()
    on.file(path, '#!/bin/sh\necho 0.0.1\n', 0o700)
    await expect(on.plan()).rejects.toMatchObject({
      code: 'machine-has-onward',
      message: /was not installed from here/,
    })
  })

  it('says that Node is missing, or too old, and finds one that only a login shell has', async () => {
    const on = world()
    rmSync(join(on.root, 'bin/node'))
    on.env.PATH = join(on.root, 'bin')
    for (const name of ['readlink', 'ls', 'tail', 'uname', 'uniq'])
      symlinkSync(existsSync(`/bin/${name}`) ? `/bin/${name}` : `/usr/bin/${name}`, join(on.root, 'bin', name))
    await expect(on.plan()).rejects.toMatchObject({ code: 'machine-no-node' })
    on.file('bin/node', '#!/bin/sh\necho 18.19.0,linux,x64,2.36\n', 0o700)
    await expect(on.plan()).rejects.toMatchObject({ code: 'machine-no-node', message: /bin\/node is 18\.19\.0/ })
    mkdirSync(on.home('node/bin'), { recursive: true })
    symlinkSync(process.execPath, on.home('node/bin/node'))
    on.file('home/.rc', 'PATH=$HOME/node/bin:$PATH\n')
    expect((await on.plan()).node.path).toBe(on.home('node/bin/node'))
  })

  it('on another platform has npm there get what is made for it, and refuses where there is none', async () => {
    const on = world()
    on.deps.platform = 'plan9-mips'
    await expect(on.plan()).rejects.toMatchObject({ code: 'machine-platform' })
    on.file('bin/npm', '#!/bin/sh\nmkdir -p node_modules/node-pty && echo > node_modules/node-pty/index.js\n', 0o700)
    const plan = await on.plan()
    expect(plan.fetches).toEqual(['node-pty (npm:@lydell/node-pty@9.9.9)', '@napi-rs/keyring (9.9.9)'])
    await done(on, plan)
    expect(existsSync(on.home('.local/share/onward/1.2.3/node_modules/@napi-rs'))).toBe(false)
    expect(execFileSync(on.home('.local/bin/onward'), { env: on.env, encoding: 'utf8' })).toBe('1.2.3\n')
    on.file('bin/npm', '#!/bin/sh\necho npm error network >&2; exit 1\n', 0o700)
    rmSync(on.home('.local'), { recursive: true })
    await expect(done(on)).rejects.toMatchObject({ message: /npm error network\. Nothing of it is left/ })
    expect(on.left()).toEqual([])
  })
})

describe('an archive', unless(onWindows), () => {
  it('is read by tar, long names and all', () => {
    const on = world()
    const long = `${'a'.repeat(120)}/${'b'.repeat(95)}`
    const archive = tarOf([
      { path: 'one', bytes: Buffer.from('1'), executable: true },
      { path: long, bytes: Buffer.alloc(1000, 'x') },
    ])
    execFileSync('tar', ['-xf', '-', '-C', on.home('.')], { input: archive })
    expect(execFileSync('wc', ['-c', on.home('one'), on.home(long)], { encoding: 'utf8' })).toMatch(/^ *1 .*\n *1000 /)
    expect(() => tarOf([{ path: 'c'.repeat(101), bytes: Buffer.alloc(0) }])).toThrow('too long')
  })
})
