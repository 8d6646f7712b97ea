/** The plan of an uninstall, on machines in memory. */
import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../cli/service/testing/fake-system.ts'
import { installService } from '../../cli/service/install.ts'
import { findService } from '../../cli/service/found.ts'
import { managerOf } from '../../cli/service/manager.ts'
import type { ServiceSpec } from '../../cli/service/types.ts'
import type { Install } from '../install.ts'
import type { InstalledSystem } from '../types.ts'
import { planUndo, runUndo } from './plan.ts'

const home = '/home/ada/.onward'
const spec: ServiceSpec = {
  name: 'onward',
  home,
  version: '0.1.0',
  argv: ['/usr/bin/node', '/x.js'],
  env: {},
  listens: { host: '127.0.0.1', port: 5520 },
}

function machine(platform: NodeJS.Platform, answers?: (line: string) => { code?: number; out?: string } | undefined) {
  const fake = fakeSystem(platform, answers ? { answers } : {})
  const system: InstalledSystem = {
    ...fake,
    linkTarget: async () => null,
    link: async () => null,
    makeExecutable: async () => undefined,
    canWriteIn: async () => true,
  }
  const plan = (install: Install = { kind: 'npm', at: '/x', feedFile: null }) =>
    planUndo({ system, home, usualHome: home, install, setups: { list: async () => [], undo: async () => undefined } })
  return { fake, system, plan }
}

describe.each(['linux', 'darwin'] as const)('a service on %s', (platform) => {
  async function installed() {
    const made = machine(platform)
    const manager = managerOf(made.system)
    const on = { manager, system: made.system }
    const found = await findService(spec, manager, made.system)
    await installService({ spec, found, state: await manager.stateOf(spec), now: 1, ...on })
    return { ...made, file: found[0].path, files: found.map(({ path }) => path) }
  }

  it('is ended and taken away, whatever it starts', async () => {
    const { plan, fake, file } = await installed()
    const { undoes, leaves } = await plan()
    expect(undoes).toMatchObject([{ kind: 'service', file }])
    expect(leaves).toEqual([])
    fake.ran.length = 0
    expect(await runUndo(undoes)).toEqual([])
    expect([...fake.files]).toEqual([])
    expect(fake.ran[0]).toMatch(/disable --now onward\.socket|bootout gui\/501\/dev\.onward\.serve/)
    expect((await plan()).undoes).toEqual([])
  })

  it('changed by hand is left to a person; one that is not ours is not even named', async () => {
    const { plan, fake, files } = await installed()
    for (const file of files) {
      const before = fake.files.get(file) ?? ''
      fake.files.set(file, `${before}# mine\n`)
      expect(await plan()).toMatchObject({ undoes: [], leaves: [{ kind: 'service', file }] })
      fake.files.set(file, before)
    }
    for (const file of files) fake.files.set(file, 'theirs')
    expect(await plan()).toEqual({ undoes: [], leaves: [] })
  })
})

describe('the start at login', () => {
  it('on Windows is a value of the registry', async () => {
    let there = true
    const { plan, fake } = machine('win32', (line) => {
      if (line.startsWith('reg delete')) there = false
      return line.startsWith('reg query') ? { code: there ? 0 : 1 } : undefined
    })
    const { undoes } = await plan()
    expect(undoes).toMatchObject([{ kind: 'login', where: expect.stringContaining('\\Run\\dev.onward.desktop') }])
    expect(await runUndo(undoes)).toEqual([])
    expect(fake.ran).toContain(
      'reg delete HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run /v dev.onward.desktop /f',
    )
    expect((await plan()).undoes).toEqual([])
  })

  it('on macOS is the app’s own to take back, and goes with it', async () => {
    const { plan } = machine('darwin')
    expect(await plan({ kind: 'mac', app: '/Applications/Onward.app', feedFile: null })).toEqual({
      undoes: [],
      leaves: [{ kind: 'login' }],
    })
    expect(await plan()).toEqual({ undoes: [], leaves: [] })
  })
})
