import { connect } from 'node:net'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { contract } from '../../shared/control/contract.ts'
import type { MachineView } from '../../shared/machines.ts'
import type { ControlApi } from '../../shared/operations/index.ts'
import { OnwardError } from '../engine/base/errors.ts'
import { sampleSession, sampleStatus, sceneTime } from '../engine/control/testing/fake-control-api.ts'
import { machineOf, type Machine } from '../machines/machine.ts'
import { writeMachines } from '../machines/machines-file.ts'
import type { Link } from '../machines/open-link.ts'
import { cliHomes } from './testing/cli-homes.ts'
import { partsWith } from './testing/cli-parts.ts'
import { pathOf, withChildren } from './described.ts'
import { describedProgram } from './testing/cli-reference.ts'
import { onward } from './testing/test-cli.ts'

const { home, against } = cliHomes()
const box = machineOf({ name: 'box', target: 'ada@box', program: null })

/** A home here that knows a machine, and the engine there. */
async function linked(api: Partial<ControlApi>) {
  const there = await home({ status: async () => sampleStatus({ pid: 77 }), ...api })
  const here = await home()
  await writeMachines(here.path, [box])
  const opened: Machine[] = []
  const parts = partsWith({
    async openLink(machine): Promise<Link> {
      opened.push(machine)
      const channel = connect(there.listening?.socket ?? '')
      const engine = {
        pid: 77,
        version: '0.0.9',
        contract,
        host: '127.0.0.1',
        port: 5520,
        token: there.listening?.token ?? '',
      }
      const lost = new Promise<Error>((done) => {
        channel.once('close', () => done(new OnwardError('machine-line-lost', 'The line to box broke.')))
      })
      return {
        machine,
        version: '0.1.0',
        started: false,
        engine,
        channel,
        pid: 1,
        lost,
        close: () => channel.destroy(),
      }
    },
  })
  return {
    there,
    here,
    opened,
    run: (...words: readonly string[]) => onward(['--home', here.path, ...words], { parts }),
  }
}

describe('--on', () => {
  it('asks the engine there, before the command or after it', async () => {
    const { run, opened } = await linked({ sessions: async () => [] })
    for (const words of [
      ['--on', 'box', 'status', '--json'],
      ['--on=box', 'status', '--json'],
      ['status', '--on', 'box', '--json'],
    ])
      expect(JSON.parse((await run(...words)).out)).toMatchObject({ running: true, pid: 77 })
    expect(opened).toEqual([box, box, box])
  })

  it('passes on what the engine there refuses, with the exit code it has here', async () => {
    const { run } = await linked({
      session: async () => {
        throw new OnwardError('session-unknown', 'No session is called x.')
      },
    })
    expect(await run('--on', 'box', 'stop-message', 'x')).toMatchObject({
      code: 5,
      err: 'onward: No session is called x.\n',
    })
  })

  it('says why the line was lost in the middle of a call', async () => {
    const linkedHere = await linked({
      sessions: () => {
        linkedHere.there.listening?.control.dispose()
        return new Promise(() => {})
      },
    })
    expect(await linkedHere.run('--on', 'box', 'sessions')).toMatchObject({
      code: 3,
      err: 'onward: The line to box broke.\n',
    })
  })

  it('opens a terminal there in a folder of there, without the environment of here', async () => {
    const asked: unknown[] = []
    const { run } = await linked({
      openTerminal: async (input) => {
        asked.push(input)
        throw new OnwardError('not-in-this-test', 'no')
      },
    })
    await run('--on', 'box', 'terminals', 'open', 'codex')
    await run('--on', 'box', 'terminals', 'open', '--cwd', '/srv', 'codex')
    expect(asked).toEqual([
      expect.not.objectContaining({ env: expect.anything(), cwd: expect.anything() }),
      expect.objectContaining({ cwd: '/srv' }),
    ])
    expect((await run('--on', 'box', 'terminals', 'open', '--cwd', 'here', 'codex')).code).toBe(2)
    expect(asked).toHaveLength(2)
  })
})

describe('sessions --everywhere', () => {
  const machine = (name: string, state: MachineView['state'], ...ids: string[]): MachineView => ({
    name,
    target: `ada@${name}`,
    state,
    sessions: ids.map((id) => sampleSession({ id, name: id, shape: 'idle' })),
  })
  const api = {
    sessions: async () => [sampleSession({ id: 'own', name: 'own', shape: 'working' })],
    machines: async () => [
      machine('box', { kind: 'there', since: sceneTime, version: '0.1.0' }, 'far'),
      machine(
        'gpu',
        {
          kind: 'away',
          since: sceneTime,
          seen: true,
          why: { code: 'machine-unreachable', message: 'gpu can’t be reached\u001b[2J.' },
          nextTryAt: sceneTime,
        },
        'gone',
      ),
    ],
  }
  it('marks each by its machine, and says which machine is away since when', async () => {
    const { out } = await against(api, ['sessions', '--everywhere'])
    const [own, far, gone, away] = out.split('\n')
    expect(own).toMatch(/^● \w+ +own /)
    expect(far).toMatch(/^○ \w+ +box +far /)
    expect(gone).toMatch(/^○ \w+ +gpu +gone /)
    expect(away).toMatch(/^◌ gpu {2}away since \d\d:\d\d: gpu can’t be reached \[2J\.$/)
  })
  it('says the same to programs', async () => {
    const { out } = await against(api, ['sessions', '--everywhere', '--json'])
    expect((JSON.parse(out) as { machine: unknown }[]).map((one) => one.machine)).toEqual([null, 'box', 'gpu'])
  })
})

describe('installing Onward there', () => {
  const plan = {
    machine: 'box',
    target: 'ada@box',
    version: '0.1.0',
    folder: '/home/ada/.local/share/onward/0.1.0',
    command: '/home/ada/.local/bin/onward',
    node: { path: '/usr/bin/node', version: '22.0.0' },
    bytes: 5_500_000,
    fetches: [],
    runs: ['tar -xzf -'],
    undo: 'ssh ada@box "rm"',
    fingerprint: 'as-shown',
  }
  /** A machine that has no Onward until it was installed. @returns what was done */
  async function without(tty: boolean, yes: boolean, ...words: readonly string[]) {
    const done: string[] = []
    const { path } = await home()
    const parts = partsWith({
      openLink: async () => {
        done.push('reached')
        throw new OnwardError('machine-no-onward', 'There is no `onward` on box.')
      },
      installer: async () => ({
        plan: async () => plan,
        async *run(_machine, shown) {
          done.push(`installed ${shown}`)
          yield { kind: 'checking' }
        },
      }),
    })
    const ran = await onward(['--home', path, ...words], {
      parts,
      tty: { in: tty, out: false, err: tty, columns: 80 },
      askYesNo: () => {
        done.push('asked')
        return yes
      },
    })
    return { ...ran, done }
  }
  it('is offered where a machine is added, and done with a yes only', async () => {
    const no = await without(true, false, 'remote', 'add', 'box')
    expect(no).toMatchObject({ code: 0, done: ['reached', 'asked'] })
    expect(no.out).toMatch(
      /0\.1\.0, 5\.5 MB to send[^]*Removed by +ssh ada@box[^]*tar -xzf -\nNothing was done there\./,
    )
    const yes = await without(true, true, 'remote', 'add', 'box')
    expect(yes.done).toEqual(['reached', 'asked', 'installed as-shown', 'reached'])
  })
  it('is only shown where nobody can be asked, and done without a question by --install', async () => {
    const shown = await without(false, true, 'remote', 'add', 'box')
    expect(shown.done).toEqual(['reached'])
    expect(shown.out).toMatch(/It is: onward remote install box --yes\n$/)
    const said = await without(true, true, 'remote', 'add', 'box', '--json')
    expect(JSON.parse(said.out)).toMatchObject({ reached: null, problem: { code: 'machine-no-onward' }, plan })
    expect(said.done).toEqual(['reached'])
    expect((await without(false, false, 'remote', 'add', 'box', '--install')).done).toContain('installed as-shown')
  })
  it('is not offered to one whose program is somewhere a person named', async () => {
    expect((await without(true, true, 'remote', 'add', 'box', '--program', '~/bin/onward')).done).toEqual(['reached'])
  })
})

/** a line of each command that a person could type, with something for each argument it needs */
const typed = withChildren(describedProgram())
  // only what stands below these two does something
  .filter((command) => command.parent !== null && !/^(service|config)$/.test(pathOf(command)))
  .map((command) => [...pathOf(command).split(' '), ...needed(command)])
function needed(command: Command): string[] {
  const words = command.registeredArguments
    .filter(({ required }) => required)
    .map((one) => one.argChoices?.[0] ?? (one.name() === 'rights' ? 'look' : '20'))
  const more: Readonly<Record<string, readonly string[]>> = {
    'checks add': ['--', 'true'],
    'alarm add': ['in 5 min', 'x'],
    run: ['--', 'true'],
    'providers add': ['--type', 'simulator'],
    'alarm edit': ['--at', 'tomorrow'],
  }
  return [...words, ...(more[pathOf(command)] ?? [])]
}

describe('with --on every command', () => {
  const codes = async (words: readonly string[]): Promise<string> => {
    const { path } = await home()
    const ran = await onward(['--home', path, '--json', '--on', 'nobody', ...words], {
      tty: { in: true, out: false, err: true, columns: 80 },
    })
    expect(ran.out).toBe('')
    return (JSON.parse(ran.err) as { error: { code: string } }).error.code
  }
  it.each(typed.map((words) => [words.join(' '), words] as const))(
    '%s: asks there, or refuses',
    async (_line, words) => {
      expect(await codes(words)).toMatch(/^(machine-unknown|here-only)$/)
    },
  )
  it.each([
    'status',
    'say a b',
    'alarm list',
    'sessions',
    'providers',
    'cost',
    'pause',
    'report',
    'config undo',
    'doctor',
    'logs',
  ])('%s asks there', async (line) => expect(await codes(line.split(' '))).toBe('machine-unknown'))
  it.each(['start', 'serve', 'claude', 'run -- true', 'config path', 'completion bash', 'remote list', 'link'])(
    '%s is about the machine it runs on',
    async (line) => expect(await codes(line.split(' '))).toBe('here-only'),
  )
})

describe('onward link', () => {
  const link = async (path: string, ...words: readonly string[]) => {
    const sockets: string[] = []
    const parts = partsWith({ relay: async (socket) => void sockets.push(socket) })
    return { ...(await onward(['link', '--home', path, ...words], { parts })), sockets }
  }
  it('names the engine, then is its socket', async () => {
    const there = await home({ status: async () => sampleStatus() })
    const { code, out, sockets } = await link(there.path)
    expect(code).toBe(0)
    expect(JSON.parse(out.replace(/^onward-link /, ''))).toMatchObject({
      kind: 'engine',
      engine: { contract, token: there.listening?.token },
    })
    expect(sockets).toEqual([there.listening?.socket])
  })
  it('says that none runs', async () => {
    const { path } = await home()
    const { code, out, sockets } = await link(path)
    expect(code).toBe(3)
    expect(out).toBe(`onward-link {"kind":"no-engine","version":"0.1.0","home":"${path}"}\n`)
    expect(sockets).toEqual([])
  })
  it('prints no token into a terminal', async () => {
    const there = await home({ status: async () => sampleStatus() })
    const ran = await onward(['link', '--home', there.path], { tty: { in: true, out: true, err: true, columns: 80 } })
    expect(ran).toMatchObject({ code: 2, out: '' })
  })
})
