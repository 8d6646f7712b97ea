/** A real Secret Service on a session bus of its own: GNOME Keyring with a person's folder for one test file. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '../../shared/testing/wait-for.ts'

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0
const wanted = ['dbus-daemon', 'dbus-send', 'gnome-keyring-daemon']
const missing = process.platform === 'linux' ? wanted.filter((program) => !has(program)) : []

/** Why none can be run here. */
export const secretServiceMissing: string | null =
  process.platform !== 'linux'
    ? 'GNOME Keyring is of Linux only'
    : missing.length > 0
      ? `${missing.join(', ')} not installed`
      : null

const password = 'open sesame'

export interface SecretService {
  /** how a program gets to it */
  env: Record<string, string>
  lock(): void
  unlock(): Promise<void>
  /** it neither answers nor refuses until it is thawed */
  freeze(): void
  thaw(): void
  /** labels of what it keeps, as any program that asks it sees them */
  labels(): string
  end(): Promise<void>
}

export async function startSecretService(): Promise<SecretService> {
  const home = mkdtempSync(join(tmpdir(), 'onward-keyring-'))
  const runtime = join(home, 'run')
  mkdirSync(runtime, { mode: 0o700 })
  const address = `unix:path=${join(runtime, 'bus')}`
  const env: Record<string, string> = {
    HOME: home,
    XDG_RUNTIME_DIR: runtime,
    XDG_DATA_HOME: join(home, 'data'),
    DBUS_SESSION_BUS_ADDRESS: address,
    // A question for the password would wait for whoever sits at this machine.
    DISPLAY: '',
    WAYLAND_DISPLAY: '',
  }
  const whole = { ...process.env, ...env }
  const children: ChildProcess[] = []
  const run = (program: string, args: readonly string[]) => {
    const child = spawn(program, args, { env: whole, stdio: ['pipe', 'ignore', 'ignore'] })
    children.push(child)
    return child
  }
  const send = (...args: readonly string[]) =>
    spawnSync('dbus-send', ['--session', '--print-reply', '--dest=org.freedesktop.secrets', ...args], {
      env: whole,
      encoding: 'utf8',
    })
  const login = '/org/freedesktop/secrets/collection/login'
  const property = (name: string) =>
    send(login, 'org.freedesktop.DBus.Properties.Get', 'string:org.freedesktop.Secret.Collection', `string:${name}`)
      .stdout
  /** Asking it anything would start another one, before ours has its name on the bus. */
  const started = () =>
    spawnSync(
      'dbus-send',
      [
        '--session',
        '--print-reply',
        '--dest=org.freedesktop.DBus',
        '/',
        'org.freedesktop.DBus.NameHasOwner',
        'string:org.freedesktop.secrets',
      ],
      { env: whole, encoding: 'utf8' },
    ).stdout.includes('boolean true')
  const end = async () => {
    for (const child of children.reverse()) await stop(child)
    rmSync(home, { recursive: true, force: true })
  }
  run('dbus-daemon', ['--session', '--nofork', '--nopidfile', `--address=${address}`])
  await waitFor('the session bus', () => readdirSync(runtime).includes('bus'))
  const unlocked = () => waitFor('the keyring', () => property('Locked').includes('boolean false'))
  const startKeyring = async () => {
    const child = run('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'])
    child.stdin?.end(password)
    await waitFor('the keyring', started)
    await unlocked()
    return child
  }
  const stop = async (child: ChildProcess) => {
    const gone = new Promise((done) => child.once('exit', done))
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await gone
  }
  let keyring = await startKeyring().catch(async (error: unknown) => {
    await end()
    throw error
  })
  return {
    env,
    lock() {
      send('/org/freedesktop/secrets', 'org.freedesktop.Secret.Service.Lock', `array:objpath:${login}`)
    },
    async unlock() {
      // As a new login does it.
      await stop(keyring)
      await waitFor('the end of the keyring', () => !started())
      keyring = await startKeyring()
    },
    freeze: () => void keyring.kill('SIGSTOP'),
    thaw: () => void keyring.kill('SIGCONT'),
    labels: () =>
      [...property('Items').matchAll(/object path "([^"]+)"/g)]
        .map(
          ([, path = '']) =>
            send(path, 'org.freedesktop.DBus.Properties.GetAll', 'string:org.freedesktop.Secret.Item').stdout,
        )
        .join('\n'),
    end,
  }
}

/** Files below a folder that hold these bytes. */
export function filesWith(folder: string, bytes: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(bytes))
}
