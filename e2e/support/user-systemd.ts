/** A real `systemd --user` for one test file, apart from any that this machine has. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { cleanEnv, onwardBin } from './engine-process.ts'

const systemd = '/lib/systemd/systemd'

/** Why none can be run here. */
export const userSystemdMissing: string | null = missing()

function missing(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux can set a systemd apart'
  if (!existsSync(systemd)) return 'systemd is not installed'
  const group = `/sys/fs/cgroup/onward-try-${process.pid}`
  const tried = spawnSync(
    'unshare',
    [
      '-m',
      'sh',
      '-c',
      'mount -t tmpfs none /run && umount -l /sys/fs/cgroup && mount -t ' +
        `cgroup2 none /sys/fs/cgroup && mkdir ${group} && rmdir ${group}`,
    ],
    { encoding: 'utf8' },
  )
  return tried.status === 0 ? null : `mounts and control groups can’t be set apart here (${tried.stderr?.trim()})`
}

export interface Ran {
  code: number | null
  out: string
  err: string
}

export interface UserSystemd {
  /** the person's folder */
  home: string
  /** runs a program as that person, in that systemd's world */
  run(argv: readonly string[]): Promise<Ran>
  onward(words: readonly string[], script?: string): Promise<Ran>
  /** pids of everything it started that still runs */
  left(): number[]
  end(): Promise<void>
}

export async function startUserSystemd(): Promise<UserSystemd> {
  const home = mkdtempSync(join(tmpdir(), 'onward-person-'))
  const group = `onward-test-${process.pid}`
  const env = { ...cleanEnv(), HOME: home, XDG_RUNTIME_DIR: '/run/user/0', SHELL: '/bin/sh' }
  const child = spawn('unshare', ['-m', 'sh', join(import.meta.dirname, 'user-systemd.sh'), home, group], {
    stdio: 'ignore',
    env,
  })
  const { pid } = child
  if (pid === undefined) throw new Error('unshare was not started')
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  const run = (argv: readonly string[]): Promise<Ran> =>
    new Promise((resolve, reject) => {
      const inside = spawn('nsenter', ['-t', String(pid), '-m', '--', ...argv], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env,
      })
      const ran: Ran = { code: null, out: '', err: '' }
      inside.stdout.setEncoding('utf8').on('data', (text: string) => {
        ran.out += text
      })
      inside.stderr.setEncoding('utf8').on('data', (text: string) => {
        ran.err += text
      })
      inside.once('error', reject)
      inside.once('close', (code) => resolve({ ...ran, code }))
    })
  const root = join('/proc', String(pid), 'root', 'sys/fs/cgroup', group)
  const groups = () =>
    spawnSync('find', [root, '-depth', '-type', 'd'], { encoding: 'utf8' }).stdout.split('\n').filter(Boolean)
  const left = () =>
    groups()
      .flatMap((folder) => readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number))
      .filter((one) => one !== pid)
  await waitFor(
    'systemd --user',
    async () =>
      (await run(['systemctl', '--user', 'is-system-running'])).code !== null &&
      (await run(['systemctl', '--user', 'show-environment'])).code === 0,
    30_000,
  )
  return {
    home,
    run,
    onward: (words, script = onwardBin) => run([process.execPath, script, ...words]),
    left,
    async end() {
      for (const one of left()) process.kill(one, 'SIGKILL')
      child.kill('SIGKILL')
      await gone
      spawnSync('unshare', [
        '-m',
        'sh',
        '-c',
        'umount -l /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup; ' +
          `find /sys/fs/cgroup/${group} -depth -type d -exec rmdir {} +`,
      ])
      rmSync(home, { recursive: true, force: true })
    },
  }
}
