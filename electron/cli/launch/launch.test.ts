import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { LaunchPlan } from '../../../shared/operations/terminals.ts'
import type { Input } from '../../../shared/operations/index.ts'
import { findRunningEngine } from '../../engine/control/attach.ts'
import { sampleStatus } from '../../engine/control/testing/fake-control-api.ts'
import { OnwardError } from '../../engine/base/errors.ts'
import { buildCli, type BuiltCli } from '../testing/build-cli.ts'
import { onward, testHome, type TestHome } from '../testing/test-cli.ts'
import type { RunWrappedTerminal } from './types.ts'
import { agents } from '../../engine/terminals/agents/index.ts'
import { resumeArgv as agentResume } from '../../engine/terminals/agents/resume.ts'
import type { CliParts } from '../cli.ts'
import { ensureEngine } from './background-engine.ts'
import { until } from '../../../shared/testing/wait-for.ts'
import { unless } from '../../../shared/testing/unless.ts'

let cli: BuiltCli
beforeAll(async () => {
  cli = await buildCli()
}, 60_000)
afterAll(() => cli.remove())

const cleanUp: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const clean of cleanUp.splice(0).reverse()) await clean()
})

const key = 'key-of-this-terminal'

/** A home whose engine registers terminals and keeps what it was told. */
async function engine(
  again: readonly ({ conversation: string | null; waitMs: number } | null)[] = [],
  heard: () => void = () => {},
) {
  const registered: Input<'registerTerminal'>[] = []
  const ended: [string, number | null][] = []
  const endings: Input<'terminalEnded'>['ending'][] = []
  const home: TestHome = await testHome({
    status: async () => sampleStatus(),
    registerTerminal: async (input): Promise<LaunchPlan> => {
      registered.push(input)
      return {
        terminalId: `term_${registered.length}`,
        argv: input.client === 'other' ? input.args : [`/engine/finds/${input.client}`, '--from-plan', ...input.args],
        env: { ONWARD_KEY: key, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' },
        startsAgain: true,
      }
    },
    terminalEnded: async ({ terminalId, exitCode, ending }) => {
      ended.push([terminalId, exitCode])
      endings.push(ending)
      heard()
      return again[ended.length - 1] ?? null
    },
  })
  cleanUp.push(() => home.remove())
  return { home, registered, ended, endings }
}

/** The launcher as its own process without a controlling terminal, stdio as pipes. */
function start(home: string, words: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [cli.onward, ...words], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: tmpdir(), SHELL: '/bin/false', ONWARD_HOME: home, ...env },
  })
  cleanUp.push(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  })
  const output = { out: Buffer.alloc(0), err: '' }
  child.stdout.on('data', (data: Buffer) => {
    output.out = Buffer.concat([output.out, data])
  })
  child.stderr.on('data', (data: Buffer) => {
    output.err += String(data)
  })
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
    ...output,
  }))
  return { child, output, ended }
}

describe('an agent with pipes for stdio', () => {
  it.each([0, 3, 42, 255])('its exit code %i is the launcher’s', async (code) => {
    const { home, registered, ended } = await engine()
    const result = await start(home.path, ['run', '--', 'sh', '-c', `exit ${code}`]).ended
    expect(result.code).toBe(code)
    expect(result.err).toBe('')
    expect(registered).toMatchObject([{ client: 'other', place: { kind: 'none' } }])
    expect(ended).toEqual([['term_1', code]])
  })

  it.each(['SIGTERM', 'SIGKILL', 'SIGHUP', 'SIGINT'] as const)('its end by %s is the launcher’s', async (signal) => {
    const { home, ended } = await engine()
    const result = await start(home.path, ['run', '--', 'sh', '-c', `kill -${signal.slice(3)} $$`]).ended
    expect(result.signal).toBe(signal)
    expect(ended[0]?.[1]).toBeGreaterThan(128)
  })

  it('each signal sent to the launcher reaches it, and it decides', async () => {
    const signals = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const
    const { home } = await engine()
    const run = start(home.path, [
      'run',
      '--',
      process.execPath,
      '-e',
      `let left = ${signals.length}; for (const signal of ${JSON.stringify(signals)}) process.on(signal, () => { ` +
        "console.log('got ' + signal); if (--left === 0) process.exit(7) }); console.log('up'); " +
        'setInterval(() => {}, 1000)',
    ])
    let told = 'up\n'
    for (const signal of signals) {
      await until(() => String(run.output.out) === told)
      run.child.kill(signal)
      told += `got ${signal}\n`
    }
    expect(await run.ended).toMatchObject({ code: 7, signal: null })
    expect(String(run.output.out)).toBe(told)
  })

  it('reads our stdin and writes our stdout, byte for byte', async () => {
    const { home } = await engine()
    const run = start(home.path, ['run', '--', 'cat'])
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => i % 256))
    run.child.stdin.end(bytes)
    const result = await run.ended
    expect(result.out.equals(bytes)).toBe(true)
  })

  it('has the key in its environment and nobody has it in argv', async () => {
    const { home } = await engine()
    const run = start(home.path, ['run', '--', 'sh', '-c', 'echo "$ONWARD_KEY $$ $PPID"; cat'])
    await until(() => run.output.out.includes(10))
    const [seen, ...pids] = String(run.output.out).trim().split(' ')
    expect(seen).toBe(key)
    for (const pid of pids) expect(await readFile(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(key)
    run.child.stdin.end()
    await run.ended
  })

  it('gets its own arguments as they are, also those that look like ours', async () => {
    const { home, registered } = await engine()
    const bin = await program('codex', 'printf "%s\\n" "$@"')
    const result = await start(home.path, ['codex', '--name', 'mine', 'exec', '--json', '--home', 'x', '--', '-h'], {
      PATH: `${bin}:${process.env.PATH}`,
    }).ended
    expect(String(result.out).trim().split('\n')).toEqual(['--from-plan', 'exec', '--json', '--home', 'x', '--', '-h'])
    expect(registered[0]).toMatchObject({
      client: 'codex',
      name: 'mine',
      args: ['exec', '--json', '--home', 'x', '--', '-h'],
    })
  })

  it('is the program this terminal finds, not the one the engine finds', async () => {
    const { home } = await engine()
    const bin = await program('codex', 'echo "mine: $1"')
    expect(String((await start(home.path, ['codex'], { PATH: `${bin}:${process.env.PATH}` }).ended).out)).toBe(
      'mine: --from-plan\n',
    )
  })

  it('is found by the login shell where this PATH doesn’t have it', async () => {
    const { home } = await engine()
    const bin = await program('codex', 'echo found')
    const shell = await program(
      'shell',
      `echo "Welcome to the shell"; PATH="${bin}:$PATH"; export PATH; shift 3; eval "$1"; echo bye`,
    )
    expect(String((await start(home.path, ['codex'], { SHELL: join(shell, 'shell') }).ended).out)).toBe('found\n')
  })

  it('lives on when the engine dies, and ends as it wants', async () => {
    const { home } = await engine()
    const run = start(home.path, ['run', '--', 'sh', '-c', 'echo up; cat; exit 5'])
    await until(() => String(run.output.out) === 'up\n')
    await home.listening?.close()
    run.child.stdin.end('still here')
    expect(await run.ended).toMatchObject({ code: 5, out: Buffer.from('up\nstill here') })
  })
})

describe('an agent that ends by itself', () => {
  const id = '5b1f2a34-0000-4000-8000-1234567890ab'
  const dies = 'echo "$*"; case "$*" in *resume*) exit 0;; esac; kill -KILL $$'

  it('is started again where the engine says so, with its own resume and without its first prompt', async () => {
    const { home, ended, endings } = await engine([{ conversation: id, waitMs: 10 }])
    const bin = await program('codex', dies)
    const run = await start(home.path, ['codex', '-m', 'x', 'fix it'], { PATH: `${bin}:${process.env.PATH}` }).ended
    expect(String(run.out)).toBe(`--from-plan -m x fix it\n--from-plan -m x resume ${id}\n`)
    expect([run.code, ended]).toEqual([
      0,
      [
        ['term_1', 137],
        ['term_1', 0],
      ],
    ])
    expect(endings[0]).toEqual({ signal: 'SIGKILL', asked: null, resumes: true })
    expect(run.err).toContain('codex ended by itself and is started again in 0.01 s.')
  })

  it('is not, where nobody knows how it goes on, or the engine says nothing', async () => {
    const { home, endings } = await engine([null])
    const bin = await program('codex', dies)
    const path = { PATH: `${bin}:${process.env.PATH}` }
    expect((await start(home.path, ['codex', 'exec', 'fix it'], path).ended).signal).toBe('SIGKILL')
    expect((await start(home.path, ['codex'], path).ended).signal).toBe('SIGKILL')
    expect(endings.map((ending) => ending?.resumes)).toEqual([false, true])
  })

  it('waits for the next engine where this one ended in between', async () => {
    const { home } = await engine()
    const bin = await program('codex', `echo up; read line; ${dies}`)
    const run = start(home.path, ['codex'], { PATH: `${bin}:${process.env.PATH}` })
    await until(() => String(run.output.out).includes('up\n'))
    await home.listening?.close()
    run.child.stdin.write('\n')
    await until(() => run.output.err.includes('The engine is asked again'))
    const asked: string[] = []
    const next = await testHome(
      {
        status: async () => sampleStatus(),
        terminalEnded: async ({ terminalId, exitCode }) => {
          asked.push(`${terminalId} ${exitCode}`)
          return exitCode === 0 ? null : { conversation: id, waitMs: 10 }
        },
      },
      home.path,
    )
    cleanUp.push(() => next.remove())
    run.child.stdin.end('\n')
    expect(await run.ended).toMatchObject({ code: 0 })
    expect(asked).toEqual(['term_1 137', 'term_1 0'])
  })

  it('stays away where its person breaks the wait off', async () => {
    const { home, endings } = await engine([{ conversation: id, waitMs: 60_000 }])
    const bin = await program('codex', dies)
    const run = start(home.path, ['codex'], { PATH: `${bin}:${process.env.PATH}` })
    await until(() => run.output.err.includes('is started again in 60 s'))
    run.child.kill('SIGINT')
    expect((await run.ended).signal).toBe('SIGKILL')
    expect(endings).toMatchObject([{ asked: null }, { asked: 'person', resumes: false }])
  })

  it('is told to the engine though its person presses Ctrl C once more', async () => {
    let press = () => {}
    const { home, ended } = await engine([], () => press())
    const bin = await program('codex', 'exit 3')
    const run = start(home.path, ['codex'], { PATH: `${bin}:${process.env.PATH}` })
    press = () => void run.child.kill('SIGINT')
    expect(await run.ended).toMatchObject({ code: 3, signal: null })
    expect(ended).toEqual([['term_1', 3]])
  })

  it('was told to end where its launcher was', async () => {
    const { home, endings } = await engine()
    const run = start(home.path, ['run', '--', 'sh', '-c', 'echo up; exec sleep 60'])
    await until(() => String(run.output.out) === 'up\n')
    run.child.kill('SIGTERM')
    expect((await run.ended).signal).toBe('SIGTERM')
    expect(endings).toMatchObject([{ signal: 'SIGTERM', asked: 'told' }])
  })
})

describe('when something is missing', () => {
  it('says that the program was not found: 127', async () => {
    const { home } = await engine()
    const result = await start(home.path, ['codex'], { PATH: '/nonexistent' }).ended
    expect(result.code).toBe(127)
    expect(result.err).toContain('npm install -g @openai/codex')
  })

  it('does not start the agent on nothing: 3, unless --direct', async () => {
    const { path, remove } = await testHome()
    cleanUp.push(remove)
    const words = ['run', '--', 'sh', '-c', 'echo started; echo "$ONWARD_KEY"']
    const more = {
      self: [process.execPath, cli.fakeEngine],
      env: { PATH: process.env.PATH, ONWARD_HOME: path, FAKE_ENGINE_FAILS: 'the disk is full.' },
    }
    const refused = await onward(words, more)
    expect(refused.code).toBe(3)
    expect(refused.err).toContain('the disk is full.')
    expect(refused.err).toContain('--direct')
    const direct = await onward([words[0] ?? '', '--direct', '--', 'sh', '-c', 'exit 9'], more)
    expect(direct.code).toBe(9)
    expect(direct.err).toContain('runs without Onward')
  })

  it('asks a person, once, before the start', async () => {
    const { path, remove } = await testHome({
      status: async () => sampleStatus(),
      registerTerminal: async () => {
        throw new OnwardError('terminal-refused', 'No more terminals.')
      },
    })
    cleanUp.push(remove)
    const asked: string[] = []
    const ask = (answer: boolean) => ({
      env: { PATH: process.env.PATH, ONWARD_HOME: path },
      tty: { in: true, out: false, err: true, columns: 80 },
      askYesNo: (question: string) => {
        asked.push(question)
        return answer
      },
    })
    expect(await onward(['run', '--', 'sh', '-c', 'exit 9'], ask(true))).toMatchObject({ code: 9 })
    expect(await onward(['run', '--', 'sh', '-c', 'exit 9'], ask(false))).toMatchObject({ code: 3 })
    expect(asked).toEqual(['Start sh without Onward? [y/N] ', 'Start sh without Onward? [y/N] '])
  })
})

describe('in a terminal window of its own', () => {
  it('the wrapper gets the plan, and its ending is ours', async () => {
    const { home, registered, ended } = await engine()
    const orders: Parameters<RunWrappedTerminal>[0][] = []
    const bin = await program('codex', 'exit 1')
    const result = await onward(['codex', '--home', home.path, '--model', 'x'], {
      env: { PATH: `${bin}:${process.env.PATH}` },
      tty: { in: true, out: true, err: true, columns: 80 },
      cwd: bin,
      parts: {
        ...neverParts,
        runWrapped: async (order) => {
          orders.push(order)
          return { exitCode: null, signal: 'SIGTERM' }
        },
      },
    })
    expect(result).toMatchObject({ code: 143, diedBy: 'SIGTERM', out: '', err: '' })
    expect(registered[0]?.place).toEqual({ kind: 'wrapped', hostId: orders[0]?.hostId })
    expect(orders[0]).toMatchObject({
      home: home.path,
      cwd: bin,
      plan: {
        terminalId: 'term_1',
        argv: [join(bin, 'codex'), '--from-plan', '--model', 'x'],
        env: { ONWARD_KEY: key },
      },
    })
    expect(ended).toEqual([['term_1', 143]])
  })
})

describe('between an editor and its agent', () => {
  it.each([
    ['an agent that is known', 'gemini', ['--acp'], { client: 'gemini', args: ['--acp'] }],
    ['any other, by its path', './my-agent', ['--x'], { client: 'other', args: [expect.stringMatching(/^\//), '--x'] }],
  ])('%s is registered as what it is', async (_, name, args, expected) => {
    const { home, registered } = await engine()
    const orders: Parameters<RunWrappedTerminal>[0][] = []
    const bin = await program(name.replace('./', ''), 'exit 1')
    const result = await onward(['acp', '--home', home.path, '--', name, ...args], {
      env: { PATH: `${bin}:${process.env.PATH}` },
      tty: { in: false, out: false, err: false, columns: 80 },
      cwd: bin,
      parts: {
        ...neverParts,
        runWrapped: async (order) => {
          orders.push(order)
          return { exitCode: 0, signal: null }
        },
      },
    })
    expect(result).toMatchObject({ code: 0, out: '', err: '' })
    expect(orders).toMatchObject([{ acp: true, home: home.path, cwd: bin, plan: { terminalId: 'term_1' } }])
    expect(registered).toMatchObject([{ ...expected, place: { kind: 'acp', hostId: orders[0]?.hostId } }])
  })
})

describe('an engine in the background', () => {
  const env = { PATH: process.env.PATH }
  const place = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'onward-bg-'))
    cleanUp.push(() => rm(folder, { recursive: true, force: true }))
    return { home: join(folder, 'home'), port: null }
  }
  /** Whoever was started for it, also the one of two that has not seen yet that it is the second. */
  const endEngine = (home: string) => async () => {
    spawnSync('pkill', ['-f', '--', home])
    await until(async () => spawnSync('pgrep', ['-f', '--', home]).status === 1)
  }

  it('is started when none runs, outlives the launcher, and is used the next time', async () => {
    const at = await place()
    cleanUp.push(endEngine(at.home))
    const more = { self: [process.execPath, cli.fakeEngine], env: { ...env, ONWARD_HOME: at.home } }
    const first = await onward(['run', '--', 'sh', '-c', 'test "$ONWARD_KEY" = key-from-background && exit 4'], more)
    expect(first).toMatchObject({ code: 4 })
    expect(first.err).toContain('was started in the background')
    const pid = (await findRunningEngine(at.home))?.pid
    expect(pid).toBeGreaterThan(0)
    expect(first.err).toContain(`To stop it: kill ${pid}`)
    expect(await onward(['run', '--', 'sh', '-c', 'exit 4'], more)).toMatchObject({ code: 4, err: '' })
    expect((await findRunningEngine(at.home))?.pid).toBe(pid)
  })

  it('is told of by the setup too, with how it is stopped', async () => {
    const at = await place()
    cleanUp.push(endEngine(at.home))
    const more = { self: [process.execPath, cli.fakeEngine], env: { ...env, ONWARD_HOME: at.home } }
    const { err } = await onward(['setup', '--list'], more)
    expect(err).toContain(`To stop it: kill ${(await findRunningEngine(at.home))?.pid}`)
  })

  it('is one, when two agents start at once', async () => {
    const at = await place()
    cleanUp.push(endEngine(at.home))
    const io = { self: [process.execPath, cli.fakeEngine], env } as unknown as Parameters<typeof ensureEngine>[1]
    const [a, b] = await Promise.all([ensureEngine(at, io), ensureEngine(at, io)])
    expect(a.port).toBe(b.port)
  })
})

const tmuxThere = (() => {
  try {
    execFileSync('tmux', ['-V'])
    return true
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
})()

describe('in a tmux pane', unless(tmuxThere ? null : 'tmux is not installed'), () => {
  /** A tmux server of this test alone, a bash in its only pane. */
  async function pane() {
    const folder = await mkdtemp(join(tmpdir(), 'onward-tmux-'))
    const socket = join(folder, 'socket')
    const tmux = (...args: string[]) =>
      execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], {
        encoding: 'utf8',
        env: { ...process.env, TMUX: undefined },
      }).trimEnd()
    tmux(
      'new-session',
      '-d',
      '-s',
      'test',
      '-x',
      '120',
      '-y',
      '40',
      'env',
      '-i',
      `PATH=${process.env.PATH}`,
      'HOME=/nonexistent',
      'TERM=screen',
      'PS1=ready> ',
      'sh',
      '-c',
      `TMUX='${socket},1,0' TMUX_PANE=%0 exec bash --norc --noprofile -i`,
    )
    cleanUp.push(async () => {
      tmux('kill-server')
      await rm(folder, { recursive: true, force: true })
    })
    const screen = () => tmux('capture-pane', '-p', '-J')
    await until(() => screen().includes('ready>'))
    return {
      folder,
      socket,
      tmux,
      screen,
      type: (line: string) => {
        tmux('send-keys', '-l', '--', line)
        tmux('send-keys', 'Enter')
      },
    }
  }
  const launcher = (home: string) => `${process.execPath} ${cli.onward} run --home ${home} --`

  it('is registered with the exact pane, runs in the foreground group, and gets Ctrl C once', async () => {
    const { home, registered, ended } = await engine()
    const { socket, folder, screen, type, tmux } = await pane()
    const stub = join(folder, 'stub.mjs')
    await writeFile(
      stub,
      "let n = 0; process.on('SIGINT', () => { n++; console.log('interrupt', n); setTimeout(() => " +
        "process.exit(20 + n), 300) }); console.log('agent', process.pid); setInterval(() => {}, 1000)",
    )
    type(`${launcher(home.path)} ${process.execPath} ${stub}; echo "status=$?"`)
    await until(() => /agent \d+/.test(screen()))
    expect(registered[0]?.place).toEqual({ kind: 'tmux', socket, paneId: '%0' })
    const pid = /agent (\d+)/.exec(screen())?.[1]
    // pgrp and tpgid are the 5th and 8th field (proc(5))
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ')
    expect(fields[2]).toBe(fields[5])
    tmux('send-keys', 'C-c')
    await until(() => /status=\d/.test(screen()))
    expect(screen()).toContain('status=21')
    expect(screen()).not.toContain('interrupt 2')
    await until(() => ended.length === 1)
    expect(ended).toEqual([['term_1', 21]])
  })

  it('stops with Ctrl Z and comes back with fg', async () => {
    const { home } = await engine()
    const { screen, type, tmux } = await pane()
    type(`${launcher(home.path)} sh -c 'echo up; read line; echo "read $line"; exit 6'`)
    await until(() => /^up$/m.test(screen()))
    tmux('send-keys', 'C-z')
    await until(() => screen().includes('Stopped'))
    type('echo again; fg; echo "status=$?"')
    // before that, the shell's own line editor would take an Enter for a character of the next line
    await until(() => /^again$/m.test(screen()))
    type('hello')
    await until(() => screen().includes('status=6')).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${screen()}`)
    })
    expect(screen()).toContain('read hello')
  })

  it('may stop itself, and the shell is back', async () => {
    const { home } = await engine()
    const { screen, type } = await pane()
    type(`${launcher(home.path)} sh -c 'echo up; kill -STOP $$; echo again; exit 8'`)
    await until(() => screen().includes('Stopped'))
    type('fg; echo "status=$?"')
    await until(() => /status=8/.test(screen()))
    expect(screen()).toContain('again')
  })

  it('is made by --tmux, and the launcher in it registers its pane', async () => {
    const { home, registered, ended } = await engine()
    const { folder, screen, type } = await pane()
    const bin = await program('codex', 'echo "key: $ONWARD_KEY, $1 $2"; exit 3')
    // as outside of tmux, with the default socket of a folder of its own
    type(
      `env -u TMUX -u TMUX_PANE TMUX_TMPDIR=${folder} PATH=${bin}:$PATH ${process.execPath} ` +
        `${cli.onward} codex --tmux --name mine --home ${home.path} --model x; echo "status=$?"`,
    )
    await until(() => /status=\d/.test(screen()))
    expect(screen()).toContain('status=0')
    expect(registered[0]).toMatchObject({
      client: 'codex',
      name: 'mine',
      args: ['--model', 'x'],
      place: { kind: 'tmux', paneId: '%0' },
    })
    expect(registered[0]?.place).toMatchObject({ socket: expect.stringContaining(folder) as unknown })
    await until(() => ended.length === 1)
    expect(ended).toEqual([['term_1', 3]])
  })

  const words = ['#(touch ran)', 'v1.2: #{pane_id}', 'first; new-window touch ran;', '--x', '%1', 'two\nlines\\;', ';']
  it.each([
    ['-x #(touch ran) a #{pane_id} 100%d %H it\'s "q" $HOME `id`;', `-x ${words.join(' ')}`],
    ['two\nlines', 'v1.2: %1\nlines\\;'],
  ])('is made by --tmux in the folder %j with every word as it is', async (name, own) => {
    const { home, registered } = await engine()
    const { folder, screen, type } = await pane()
    const bin = await program('codex', 'true')
    const cwd = join(folder, name)
    await mkdir(cwd)
    const quoted = (text: string) => `$'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`
    type(
      `cd -- ${quoted(cwd)}; env -u TMUX -u TMUX_PANE TMUX_TMPDIR=${folder} PATH=${bin}:$PATH ${process.execPath} ` +
        `${cli.onward} codex --tmux --name ${quoted(`n${own}`)} --home ${home.path} -- ` +
        `${words.map(quoted).join(' ')} last\\;; echo "status=$?"`,
    )
    await until(() => /status=\d/.test(screen()))
    expect(screen()).toContain('status=0')
    expect(registered).toMatchObject([{ cwd, name: `n${own}`, args: [...words, 'last;'] }])
    expect((await readdir(folder, { recursive: true })).filter((file) => file.endsWith('ran'))).toEqual([])
  })

  it('is not taken for the pane by a terminal that only inherited its environment', async () => {
    const { home, registered } = await engine()
    const { screen, type } = await pane()
    type(`script -qec "${launcher(home.path)} true" /dev/null; echo "status=$?"`)
    await until(() => /status=\d/.test(screen()))
    expect(registered[0]?.place.kind).toBe('wrapped')
  })
})

const no = () => {
  throw new Error('not part of this test')
}
const resumeArgv: CliParts['resumeArgv'] = async (client, argv, id) => agentResume(agents[client].resume, argv, id)
const neverParts = {
  sentencesOf: no,
  checkConfig: no,
  policiesFor: no,
  serve: no,
  serviceSystem: no,
  installed: no,
  resumeArgv,
  openLink: no,
  installer: no,
  relay: no,
}

async function program(name: string, body: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'onward-bin-'))
  cleanUp.push(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, name), `#!/bin/sh\n${body}\n`)
  await chmod(join(folder, name), 0o755)
  return folder
}
