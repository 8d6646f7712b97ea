/**
 * Another machine as ssh finds it: the system's own sshd on loopback, with keys and a port of this test, whose logins
 * have a home folder of their own.
 */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { cleanEnv, onwardBin } from './engine-process.ts'

const sshd = '/usr/sbin/sshd'
const ssh = '/usr/bin/ssh'

/** null: there is one */
export const noSshd: string | null =
  process.platform !== 'win32' && existsSync(sshd) && existsSync(ssh) ? null : 'the system has no sshd'

export interface SshMachine {
  /** the person's home folder there */
  person: string
  /** Onward's home there */
  home: string
  /** what `ssh` on this PATH reaches as `devbox`, or the name that was given */
  env: Record<string, string>
  /** the config of that ssh */
  config: string
  /** every byte between here and there goes over it; null: straight */
  line: Line | null
  /** changes the config of that ssh, after `Host devbox` */
  sshConfig(lines: readonly string[]): void
  /** what a login there finds as `onward`: a script, the build under test or nothing */
  program(what: 'built' | 'for login shells' | null | (string & {})): void
  /** ends the connection that the commands of a home share, if there is one */
  endShared(home: string): void
  /** the words of every ssh that was run here, a line each */
  words(): string
  /** the process id of the newest ssh that was run here */
  newest(): number
  dispose(): Promise<void>
}

export interface Line {
  /** of each byte, in each direction */
  delayMs: number
  /** nothing gets through and nobody is told, as where a machine sleeps */
  frozen: boolean
  /** ends what goes over it now */
  cut(): void
}

/** The environment in which `ssh` reaches all of them, each by its own name. */
export function reaching(machines: readonly SshMachine[]): Record<string, string> {
  const [first] = machines
  if (!first) throw new Error('no machine')
  const folder = mkdtempSync(join(dirname(first.config), 'reaching-'))
  const config = join(folder, 'config')
  writeFileSync(config, machines.map((machine) => `Include ${machine.config}\n`).join(''))
  writeFileSync(join(folder, 'ssh'), `#!/bin/sh\nexec ${ssh} -F '${config}' "$@"\n`, { mode: 0o700 })
  const quiet = cleanEnv()
  return { ...quiet, PATH: [folder, quiet['PATH']].join(delimiter) }
}

export async function startSshMachine({ name = 'devbox', overLine = false } = {}): Promise<SshMachine> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'onward-ssh-')))
  const at = (name: string) => join(root, name)
  const person = at('there')
  const bin = join(person, 'bin')
  const here = at('here')
  for (const folder of [bin, here]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const key of ['host', 'user', 'stranger'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', at(key)])
  const script = (path: string, lines: readonly string[]) => {
    writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'))
    chmodSync(path, 0o700)
  }
  // sshd has one for its own user, which it wants to be there
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const quiet = cleanEnv()
  script(at('login'), [
    `export HOME='${person}' SHELL=/bin/sh ONWARD_PORT=0`,
    `export ROUTECODEX_CLOCK_NTP=${quiet['ROUTECODEX_CLOCK_NTP']} ONWARD_KEYCHAIN=${quiet['ONWARD_KEYCHAIN']}`,
    `export PATH="${bin}:/usr/bin:/bin"`,
    'exec /bin/sh -c "$SSH_ORIGINAL_COMMAND"',
  ])
  const port = await freePort()
  const line: Line | null = overLine ? { delayMs: 0, frozen: false, cut: () => relay?.cut() } : null
  const relay = line && (await startRelay(line, port))
  const reachedAt = relay?.port ?? port
  writeFileSync(
    at('sshd_config'),
    [
      `ListenAddress 127.0.0.1:${port}`,
      `HostKey ${at('host')}`,
      `AuthorizedKeysFile ${at('user.pub')}`,
      `PidFile ${at('sshd.pid')}`,
      'StrictModes no',
      'UsePAM no',
      'PermitRootLogin prohibit-password',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'AllowTcpForwarding no',
      'AllowStreamLocalForwarding no',
      `AllowUsers ${userInfo().username}`,
      `ForceCommand ${at('login')}`,
      // bash reads the start file of whoever logs in: what one that is killed in it leaves would hold up the next
      `SetEnv HOME=${person}`,
      '',
    ].join('\n'),
  )
  const known = `[127.0.0.1]:${reachedAt} ${readFileSync(at('host.pub'), 'utf8')}`
  writeFileSync(at('known'), known)
  writeFileSync(at('no-known'), '')
  const sshConfig = (lines: readonly string[]) =>
    writeFileSync(
      at('ssh_config'),
      [
        `Host ${name}`,
        ...lines.map((line) => line.replace(/ (stranger|no-known)$/, (_all, name: string) => ` ${at(name)}`)),
        'HostName 127.0.0.1',
        `Port ${reachedAt}`,
        `User ${userInfo().username}`,
        // unlike the others of this list, several add up
        ...(lines.some((line) => line.startsWith('IdentityFile')) ? [] : [`IdentityFile ${at('user')}`]),
        `UserKnownHostsFile ${at('known')}`,
        'Host *',
        'IdentitiesOnly yes',
        'IdentityAgent none',
        'GlobalKnownHostsFile /dev/null',
        'StrictHostKeyChecking yes',
        '',
      ].join('\n'),
    )
  sshConfig([])
  writeFileSync(at('words'), '')
  script(join(here, 'ssh'), [
    `printf '%s ' "$@" >> '${at('words')}'; echo >> '${at('words')}'; echo $$ > '${at('newest')}'`,
    `exec ${ssh} -F '${at('ssh_config')}' "$@"`,
  ])
  const env = { ...quiet, PATH: [here, quiet['PATH']].join(delimiter) }
  const built = `exec '${process.execPath}' '${onwardBin}' "$@"`
  const program: SshMachine['program'] = (what) => {
    for (const path of [join(bin, 'onward'), join(person, '.profile'), join(person, 'login-bin')])
      rmSync(path, { recursive: true, force: true })
    if (what === 'for login shells') {
      mkdirSync(join(person, 'login-bin'))
      script(join(person, 'login-bin', 'onward'), [built])
      writeFileSync(join(person, '.profile'), `echo Welcome\nPATH="$HOME/login-bin:$PATH"\n`)
    } else if (what !== null) script(join(bin, 'onward'), [what === 'built' ? built : what])
  }
  program('built')
  const daemon = spawn(sshd, ['-D', '-e', '-f', at('sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] })
  await listening(daemon)
  return {
    person,
    home: join(person, '.onward'),
    env,
    config: at('ssh_config'),
    line,
    sshConfig,
    program,
    words: () => readFileSync(at('words'), 'utf8'),
    newest: () => Number(readFileSync(at('newest'), 'utf8')),
    endShared(folder) {
      const run = join(folder, 'run')
      for (const socket of existsSync(run) ? readdirSync(run) : [])
        spawnSync(ssh, ['-F', at('ssh_config'), '-o', `ControlPath=${join(run, socket)}`, '-O', 'exit', name])
    },
    async dispose() {
      const over = new Promise((done) => daemon.once('exit', done))
      daemon.kill()
      await over
      relay?.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

async function startRelay(line: Line, to: number): Promise<{ port: number; cut(): void; close(): void }> {
  const all = new Set<Socket>()
  const server = createServer((from) => {
    const there = connect(to, '127.0.0.1')
    for (const [one, other] of [
      [from, there],
      [there, from],
    ] as const) {
      all.add(one)
      // one after the other, whatever the line is meanwhile
      let before = Promise.resolve()
      const pass = (act: () => void) => {
        before = before.then(async () => {
          await new Promise((done) => setTimeout(done, line.delayMs))
          while (line.frozen) await new Promise((done) => setTimeout(done, 20))
          act()
        })
      }
      one.on('data', (bytes) => pass(() => void (other.destroyed || other.write(bytes))))
      one.on('end', () => pass(() => other.end())).on('error', () => other.destroy())
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const cut = () => {
    for (const socket of all) socket.destroy()
    all.clear()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    close() {
      server.close()
      cut()
    },
  }
}

/** Says so itself, on stderr. */
async function listening(daemon: ChildProcess): Promise<void> {
  let said = ''
  let ended = false
  daemon.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  daemon.once('exit', () => {
    ended = true
  })
  await waitFor('sshd', () => {
    if (ended) throw new Error(`sshd ended: ${said}`)
    return said.includes('Server listening') || undefined
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
