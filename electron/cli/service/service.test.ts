/** `onward service` on a machine in memory: its output, files, programs and undoing. */
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Cli } from '../cli.ts'
import { cliHomes } from '../testing/cli-homes.ts'
import { partsWith } from '../testing/cli-parts.ts'
import { onward } from '../testing/test-cli.ts'
import { fakeSystem, type FakeSystem } from './testing/fake-system.ts'
import { endsWithinMs } from './run-steps.ts'
import { serviceName } from './service-name.ts'

const { home } = cliHomes()
const folder = '/home/ada/.config/systemd/user'

/** A Linux whose systemd starts the services it is asked for. */
function machine(more: { fails?: string; linger?: string } = {}) {
  let enabled = false
  let active = false
  let listens = false
  const system: FakeSystem = fakeSystem('linux', {
    answers(line) {
      if (more.fails !== undefined && line.includes(more.fails)) return { code: 1, err: 'it is broken\n' }
      if (line.includes(' enable ')) enabled = true
      if (line.includes(' restart ') && line.endsWith('.service')) active = true
      if (line.includes(' restart ') && line.endsWith('.socket')) listens = true
      if (line.includes(' disable ')) enabled = active = listens = false
      if (line.includes(' show ') && line.includes('.socket'))
        return { out: listens ? 'ActiveState=active\nListen=127.0.0.1:5520 (Stream)\n' : 'ActiveState=inactive\n' }
      if (line.includes('is-enabled')) return { out: enabled ? 'enabled\n' : 'disabled\n', code: enabled ? 0 : 1 }
      if (line.includes(' show ')) return { out: `MainPID=0\nActiveState=${active ? 'active' : 'inactive'}\n` }
      return line.startsWith('loginctl') ? { out: `${more.linger ?? 'no'}\n` } : undefined
    },
  })
  return system
}

async function scene(system: FakeSystem = machine()) {
  const { path } = await home()
  for (let at = path; at !== dirname(at); at = dirname(at)) system.folders.add(at)
  const name = serviceName(path, '/home/ada/.onward')
  const run = (words: readonly string[], more: Partial<Cli> = {}) =>
    onward(['service', ...words, '--home', path], {
      parts: partsWith({ serviceSystem: async () => system }),
      self: ['/usr/bin/node', '/opt/onward/onward.mjs'],
      ...more,
    })
  /** what changes something on this machine */
  const did = () => system.ran.filter((line) => !/ (show|is-enabled|show-environment|show-user)( |$)/.test(line))
  return {
    system,
    run,
    did,
    path,
    file: `${folder}/${name}.service`,
    unit: `${name}.service`,
    socket: `${name}.socket`,
  }
}

describe('onward service install', () => {
  it('shows what it writes and runs, asks, and does it', async () => {
    const { run, did, system, file, unit, socket, path } = await scene()
    const asked: string[] = []
    const ran = await run(['install'], {
      tty: { in: true, out: true, err: true, columns: 100 },
      askYesNo(question) {
        asked.push(question)
        expect(did()).toEqual([])
        expect(system.files.size).toBe(0)
        return true
      },
    })
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(asked).toHaveLength(1)
    expect(ran.out).toContain(file)
    expect(ran.out).toContain('ExecStart="/usr/bin/node" "/opt/onward/onward.mjs" "serve" "--json" "--service"')
    expect(ran.out).toContain('loginctl enable-linger ada')
    expect(did()).toEqual([
      'systemctl --user daemon-reload',
      `systemctl --user reset-failed ${socket} ${unit}`,
      `systemctl --user enable ${socket} ${unit}`,
      `systemctl --user stop ${unit}`,
      `systemctl --user restart ${socket}`,
      `systemctl --user restart ${unit}`,
    ])
    // An engine may have two minutes for its last answers.
    expect(system.longer).toEqual([
      [`systemctl --user stop ${unit}`, endsWithinMs],
      [`systemctl --user restart ${unit}`, endsWithinMs],
    ])
    expect(ran.out).toContain(`${folder}/${socket}`)
    expect(ran.out).toContain('ListenStream=127.0.0.1:5520')
    const text = system.files.get(file)
    expect(text).toContain(`Environment="ONWARD_HOME=${path}"`)
    expect(text).toContain('Environment="PATH=/home/ada/.local/bin:/usr/bin:/bin"')
    expect(system.ran.filter((line) => line.includes('enable-linger'))).toEqual([])
  })

  it.each([
    ['a no at the terminal', [], { tty: { in: true, out: true, err: true, columns: 80 }, askYesNo: () => false }, 0],
    ['nobody to ask', [], {}, 4],
    ['JSON without --yes', ['--json'], {}, 4],
    ['--dry-run', ['--dry-run'], {}, 0],
    ['--dry-run as JSON', ['--dry-run', '--json'], {}, 0],
  ] as const)('does nothing by %s', async (_what, words, more, code) => {
    const { run, did, system } = await scene()
    expect((await run(['install', ...words], more)).code).toBe(code)
    expect(did()).toEqual([])
    expect(system.files.size).toBe(0)
  })

  it('says all of it as JSON', async () => {
    const { run, file, system } = await scene()
    const ran = await run(['install', '--yes', '--json'])
    expect(JSON.parse(ran.out)).toMatchObject({ file, text: system.files.get(file), written: true, kept: null })
  })

  it('once more changes no byte', async () => {
    const { run, system, file } = await scene()
    await run(['install', '--yes'])
    const first = system.files.get(file)
    expect((await run(['install', '--yes'])).code).toBe(0)
    expect(system.files.get(file)).toBe(first)
  })

  it('of a newer Onward replaces the unit without force', async () => {
    const { run, system, file } = await scene()
    await run(['install', '--yes'])
    expect((await run(['status'], { version: '0.2.0' })).out).toContain('written by Onward 0.1.0; this is 0.2.0')
    expect((await run(['install', '--yes'], { version: '0.2.0' })).code).toBe(0)
    expect(system.files.get(file)).toContain('Written by Onward 0.2.0')
  })

  it.each(['uninstall', 'install'].flatMap((word) => [[word, 'unit'] as const, [word, 'socket'] as const]))(
    'at %s leaves a %s changed by hand alone, unless it is forced',
    async (word, which) => {
      const made = await scene()
      const { run, system } = made
      const file = which === 'unit' ? made.file : `${folder}/${made.socket}`
      await run(['install', '--yes'])
      const changed = `${system.files.get(file)}# mine\n`
      system.files.set(file, changed)
      const ran = await run([word, '--yes'])
      expect(ran).toMatchObject({ code: 4, err: expect.stringContaining('was changed by hand') })
      expect(system.files.get(file)).toBe(changed)
      expect((await run([word, '--yes', '--force'])).code).toBe(0)
      expect(system.files.get(file)).not.toBe(changed)
      expect([...system.files].filter(([path, text]) => path.includes('.changed-') && text === changed)).toHaveLength(1)
    },
  )

  it('puts a foreign socket back as well, and leaves alone what is not in the way', async () => {
    const { run, system, socket } = await scene()
    const file = `${folder}/${socket}`
    system.files.set(file, 'theirs')
    expect(await run(['install', '--yes'])).toMatchObject({ code: 4, err: expect.stringContaining('is not Onward’s') })
    // Without a fixed port there is none.
    expect(await run(['install', '--yes', '--port', '0'])).toMatchObject({ code: 0 })
    expect(system.files.get(file)).toBe('theirs')
    expect(await run(['install', '--yes', '--force'])).toMatchObject({ code: 0 })
    expect(system.files.get(file)).toContain('ListenStream')
    expect(await run(['install', '--yes', '--port', '0'])).toMatchObject({ code: 0 })
    expect(system.files.get(file)).toBe('theirs')
    expect(await run(['install', '--yes', '--force'])).toMatchObject({ code: 0 })
    expect((await run(['uninstall', '--yes', '--port', '0'])).code).toBe(0)
    expect([...system.files]).toEqual([[file, 'theirs']])
  })

  it('takes its socket away where it is to listen itself from now on', async () => {
    const { run, system, socket, did } = await scene()
    await run(['install', '--yes'])
    system.ran.length = 0
    const ran = await run(['install', '--yes', '--port', '0'])
    expect(ran.out).toContain(`Removes ${folder}/${socket}`)
    expect(did()[0]).toBe(`systemctl --user disable --now ${socket}`)
    expect([...system.files.keys()].filter((path) => path.endsWith('.socket'))).toEqual([])
    expect((await run(['status', '--port', '0', '--json'])).out).toContain('"socket":null')
  })

  it('knows what an earlier Onward noted, and adds a socket to its unit', async () => {
    const { run, system, file, path, socket } = await scene()
    await run(['install', '--yes', '--port', '0'])
    const kept = `${path}/service/before`
    system.files.set(kept, 'theirs')
    const note = [...system.files.keys()].find((one) => one.endsWith('.json')) ?? ''
    system.files.set(note, JSON.stringify({ file, made: null, kept }))
    expect((await run(['install', '--yes'])).code).toBe(0)
    expect(system.files.get(`${folder}/${socket}`)).toContain('ListenStream')
    expect((await run(['uninstall', '--yes'])).code).toBe(0)
    expect([...system.files]).toEqual([[file, 'theirs']])
  })

  it('says of a socket at which nobody listens', async () => {
    const { run, system, socket } = await scene()
    await run(['install', '--yes'])
    await system.run(['systemctl', '--user', 'disable', '--now', socket])
    await system.run(['systemctl', '--user', 'enable', 'onward.service'])
    await system.run(['systemctl', '--user', 'restart', 'onward.service'])
    expect((await run(['status'])).out).toContain('Nobody listens for it')
    system.ran.length = 0
    expect((await run(['install', '--yes'])).code).toBe(0)
    expect(system.ran).toContain(`systemctl --user restart ${socket}`)
  })

  it('puts a foreign file back, byte for byte, when it was forced and is undone', async () => {
    const { run, system, file } = await scene()
    const foreign = '[Service]\nExecStart=/bin/true \xff\r\n'
    system.files.set(file, foreign)
    expect(await run(['install', '--yes'])).toMatchObject({ code: 4, err: expect.stringContaining('is not Onward’s') })
    expect(await run(['uninstall', '--yes'])).toMatchObject({ code: 0 })
    expect(system.files.get(file)).toBe(foreign)
    await run(['install', '--yes', '--force'])
    expect(system.files.get(file)).toContain('Written by Onward')
    await run(['install', '--yes', '--port', '5600'])
    expect((await run(['uninstall', '--yes', '--port', '5600'])).code).toBe(0)
    expect([...system.files]).toEqual([[file, foreign]])
  })

  it.each(['daemon-reload', 'enable onward', '.socket', 'restart'])(
    'takes everything back when %s fails',
    async (fails) => {
      const { run, system } = await scene(machine({ fails }))
      const folders = [...system.folders]
      const ran = await run(['install', '--yes'])
      expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('it is broken') })
      expect([...system.files.keys()]).toEqual([])
      expect([...system.folders]).toEqual(folders)
    },
  )

  it('does nothing where systemd does not answer, and says what to do', async () => {
    const { run, system, did } = await scene(machine({ fails: 'show-environment' }))
    const ran = await run(['install', '--yes'])
    expect(ran).toMatchObject({ code: 1, err: expect.stringMatching(/does not answer for ada: it is broken.*\n.*ssh/) })
    expect([did(), system.files.size]).toEqual([[], 0])
  })

  it.each([
    ['/home/ada/.npm/_npx/1f/node_modules/onward/onward.mjs', 'npx'],
    ['/tmp/.mount_OnwardX/resources/onward.mjs', 'AppImage'],
  ])('refuses a program that is gone at the next login: %s', async (script, why) => {
    const { run } = await scene()
    const ran = await run(['install', '--yes'], { self: ['/usr/bin/node', script] })
    expect(ran).toMatchObject({ code: 4, err: expect.stringContaining(why) })
  })

  it('names no lingering where it is on', async () => {
    const { run } = await scene(machine({ linger: 'yes' }))
    expect((await run(['install', '--yes'])).out).not.toContain('enable-linger')
  })
})

describe('onward service uninstall', () => {
  it('leaves nothing behind, folders included', async () => {
    const { run, system, did, unit, socket } = await scene()
    const folders = [...system.folders]
    await run(['install', '--yes'])
    system.ran.length = 0
    expect((await run(['uninstall', '--yes'])).code).toBe(0)
    expect([...system.files]).toEqual([])
    expect([...system.folders]).toEqual(folders)
    expect(did()).toEqual([
      `systemctl --user disable --now ${socket}`,
      `systemctl --user disable --now ${unit}`,
      'systemctl --user daemon-reload',
      `systemctl --user reset-failed ${socket} ${unit}`,
    ])
    expect(await run(['uninstall', '--yes'])).toMatchObject({ code: 0, out: expect.stringContaining('No service') })
  })
})

describe('onward service status', () => {
  it('says what there is', async () => {
    const { run, file, path, socket } = await scene()
    expect((await run(['status'])).out).toContain('No service is installed')
    await run(['install', '--yes'])
    const { code, out } = await run(['status', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      service: 'systemd',
      file,
      socket: { file: `${folder}/${socket}`, listens: '127.0.0.1:5520' },
      installed: 'yes',
      enabled: true,
      running: true,
      command: ['/usr/bin/node', '/opt/onward/onward.mjs', 'serve', '--json', '--service'],
      version: '0.1.0',
      problems: [],
      log: `journalctl --user -u ${serviceName(path, '/home/ada/.onward')}`,
    })
  })

  it('finds what is wrong', async () => {
    const { run, system } = await scene()
    await run(['install', '--yes'])
    await system.run(['systemctl', '--user', 'disable', '--now'])
    const ran = await run(['status'], { self: ['/usr/bin/node', '/opt/newer/onward.mjs'] })
    expect(ran.code).toBe(1)
    for (const problem of ['is another than it starts with', 'not started at login', 'It does not run'])
      expect(ran.out).toContain(problem)
  })
})

describe('the name of a service', () => {
  it('is plain for the usual home and another one for each other', () => {
    expect(serviceName('/home/ada/.onward', '/home/ada/.onward')).toBe('onward')
    const names = ['/a', '/b'].map((path) => serviceName(path, '/home/ada/.onward'))
    expect(new Set(names).size).toBe(2)
    for (const name of names) expect(name).toMatch(/^onward-[0-9a-f]{8}$/)
  })
})
