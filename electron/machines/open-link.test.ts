import { EventEmitter, once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { contract } from '../../shared/control/contract.ts'
import { runs } from '../../shared/testing/runs.ts'
import { greetingLine, readGreeting, type Greeting } from './greeting.ts'
import { machineOf } from './machine.ts'
import { openLink } from './open-link.ts'
import type { LinkDeps, SshProcess } from './ssh-process.ts'
import { relay } from './relay.ts'

const machine = machineOf({ name: 'box', target: 'ada@box', program: null })
const greeting: Greeting = {
  kind: 'engine',
  version: '0.1.0',
  started: false,
  engine: { pid: 7, version: '0.1.0', contract, host: '127.0.0.1', port: 5520, token: 'tök-en' },
}

/** An ssh of which the test says what it does. */
class Ssh extends EventEmitter implements SshProcess {
  readonly stdin = new PassThrough()
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  killed: NodeJS.Signals | null = null
  end(code: number | null, said = ''): void {
    if (said !== '') this.stderr.write(said)
    this.stdout.end()
    this.stderr.end()
    setImmediate(() => {
      this.emit('exit', code)
      this.emit('close', code)
    })
  }
  kill(signal: NodeJS.Signals = 'SIGTERM'): void {
    if (this.killed) return
    this.killed = signal
    this.end(null)
  }
}

function sshs(...does: ((ssh: Ssh, words: readonly string[]) => void)[]): LinkDeps & { all: Ssh[] } {
  const all: Ssh[] = []
  return {
    all,
    folder: null,
    spawn(words) {
      const ssh = new Ssh()
      does[all.push(ssh) - 1]?.(ssh, words)
      return ssh
    },
  }
}

describe('a line', () => {
  it('begins after the greeting, wherever the bytes are cut and whatever a shell printed before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('Welcome\n', '\n', 'onward-link {}\n', 'onward-link nonsense\r\n', 'é\n')),
        fc.uint8Array({ maxLength: 40 }),
        fc.array(fc.nat(400), { maxLength: 6 }),
        async (noise, first, cuts) => {
          const whole = Buffer.concat([Buffer.from(noise.join('') + greetingLine(greeting)), first])
          const deps = sshs((ssh) => {
            let from = 0
            for (const to of [...cuts.toSorted((a, b) => a - b), whole.length]) {
              ssh.stdout.write(whole.subarray(from, to))
              from = Math.max(from, Math.min(to, whole.length))
            }
          })
          const link = await openLink(machine, deps)
          expect(link).toMatchObject({ version: '0.1.0', engine: { pid: 7, token: 'tök-en' } })
          const heard: Buffer[] = []
          link.channel.on('data', (data: Buffer) => heard.push(data))
          deps.all[0]?.stdout.write('more')
          deps.all[0]?.end(0)
          await once(link.channel, 'end')
          expect(Buffer.concat(heard)).toEqual(Buffer.concat([first, Buffer.from('more')]))
          link.close()
        },
      ),
      runs(300),
    )
  })

  it('carries what is said to the machine', async () => {
    const deps = sshs((ssh) => ssh.stdout.write(greetingLine(greeting)))
    const link = await openLink(machine, deps)
    link.channel.write('hello')
    const [ssh] = deps.all
    expect(String((await once(ssh?.stdin ?? new PassThrough(), 'data'))[0])).toBe('hello')
    link.close()
    expect(ssh?.killed).toBe('SIGTERM')
  })

  it('says why it was lost', async () => {
    const deps = sshs((ssh) => ssh.stdout.write(greetingLine(greeting)))
    const { lost } = await openLink(machine, deps)
    deps.all[0]?.end(255, 'Timeout, server box not responding.\r\n')
    expect(await lost).toMatchObject({ code: 'machine-line-lost' })
  })

  it.each([
    ['ends without a word', (ssh: Ssh) => ssh.end(127), 'machine-no-onward'],
    ['refuses', (ssh: Ssh) => ssh.end(255, 'ada@box: Permission denied (publickey).\r\n'), 'machine-auth-refused'],
    ['prints something else', (ssh: Ssh) => (ssh.stdout.write('hello\n'), ssh.end(0)), 'machine-no-answer'],
    [
      'has no engine',
      (ssh: Ssh) => ssh.stdout.write(greetingLine({ kind: 'no-engine', version: '1', home: '/h' })),
      'machine-no-engine',
    ],
    [
      'is not there',
      (ssh: Ssh) => setImmediate(() => ssh.emit('error', Object.assign(new Error('x'), { code: 'ENOENT' }))),
      'machine-no-ssh',
    ],
    ['prints without end', (ssh: Ssh) => (ssh.stdout.write('x'.repeat(70_000)), ssh.end(null)), 'machine-ssh-failed'],
  ])('is refused where ssh %s', async (_what, does, code) => {
    const deps = sshs(does)
    await expect(openLink(machine, deps)).rejects.toMatchObject({ code })
  })

  it('is not waited for without end; a connection that others share and that hangs is ended', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'onward-link-'))
    const words: string[][] = []
    const deps = sshs(
      (ssh) => ssh.end(0),
      () => {},
      (ssh) => ssh.end(0),
    )
    const spawn: LinkDeps['spawn'] = (given) => {
      words.push([...given])
      return deps.spawn(given)
    }
    await expect(openLink(machine, { spawn, folder: join(folder, 'run') }, { withinMs: 20 })).rejects.toMatchObject({
      code: 'machine-silent',
    })
    expect(deps.all[1]?.killed).toBe('SIGKILL')
    expect(words.map((given) => given[0])).toEqual(['-G', '-T', '-O'])
    await rm(folder, { recursive: true })
  })
})

describe('a greeting', () => {
  it('is read as it was written', () => {
    const all: Greeting[] = [
      greeting,
      { kind: 'no-engine', version: '1', home: '/h\n' },
      { kind: 'problem', version: '1', code: 'x', message: 'Y.' },
    ]
    for (const one of all) expect(readGreeting(greetingLine(one).trimEnd())).toEqual(one)
  })
  it.each(['', 'onward-link', 'onward-link null', 'onward-link {"kind":"engine","version":"1"}', '{"kind":"engine"}'])(
    'is not %j',
    (line) => expect(readGreeting(line)).toBeNull(),
  )
})

describe('the far end', () => {
  const ends: (() => unknown)[] = []
  afterEach(() => {
    for (const end of ends.splice(0)) end()
  })
  async function engine(): Promise<{ path: string; caller: Promise<Socket> }> {
    const folder = await mkdtemp(join(tmpdir(), 'onward-relay-'))
    const path = join(folder, 's')
    const server = createServer({ allowHalfOpen: true })
    ends.push(
      () => server.close(),
      () => rm(folder, { recursive: true }),
    )
    const caller = new Promise<Socket>((done) => server.once('connection', done))
    await new Promise<void>((done) => server.listen(path, done))
    return { path, caller }
  }

  it('passes bytes both ways, and ends when the engine does', async () => {
    const { path, caller } = await engine()
    const [from, to] = [new PassThrough(), new PassThrough()]
    const over = relay(path, from, to)
    from.write('question')
    const socket = await caller
    expect(String((await once(socket, 'data'))[0])).toBe('question')
    socket.end('answer')
    expect(String((await once(to, 'data'))[0])).toBe('answer')
    await over
    expect(to.writableEnded).toBe(false)
  })
  it('ends when the other machine does', async () => {
    const { path, caller } = await engine()
    const from = new PassThrough()
    const over = relay(path, from, new PassThrough())
    const socket = await caller
    socket.resume().on('end', () => socket.end())
    from.end()
    await over
  })
  it('ends then also where the engine hangs', async () => {
    const { path, caller } = await engine()
    const from = new PassThrough()
    const over = relay(path, from, new PassThrough(), 1)
    const socket = await caller
    ends.push(() => socket.destroy())
    from.destroy()
    await over
    expect(socket.destroyed).toBe(false)
  })
  it('says that there is no engine', async () => {
    await expect(relay('/nowhere/s', new PassThrough(), new PassThrough())).rejects.toMatchObject({
      code: 'link-broken',
    })
  })
})
