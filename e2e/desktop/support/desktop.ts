/** The desktop app as a person has it: Electron's main file with its own engine, driven by Playwright. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { _electron, type ElectronApplication, type Page } from 'playwright'
import { crashFolder } from '../../../electron/engine/records/crash-shelf.ts'
import { systemProcesses } from '../../../electron/engine/store/lock.ts'
import { connectForTest, type TestControl } from '../../support/control-client.ts'
import { evidence, type Exhibits } from '../../support/evidence/evidence.ts'
import { cleanEnv, newHome } from '../../support/engine-process.ts'
import { waitFor } from '../../../shared/testing/wait-for.ts'
import { findChromium } from '../../support/chromium.cjs'
import { electronOf, type DoubleState, type TrayState } from './double.ts'

/** the build under test, as `ONWARD_BIN` for the command line */
const mainFile = process.env.ONWARD_MAIN ?? resolve(import.meta.dirname, '../../../out/main/main.js')
const double = resolve(import.meta.dirname, '../../support/electron-double/electron')
const electronBin = process.env.ELECTRON_BIN || double
/** Trays, menus, notifications and dialogs can be seen and clicked in the double only. */
export const onlyDouble = process.env.ELECTRON_BIN
  ? 'a real Electron does not show its tray, menus and dialogs to a test'
  : null

const chromiumPath = findChromium()
/** Why the app can't run here; null when it can. In CI that is a failure, not a skip. */
export const noDesktop: string | null = process.env.ELECTRON_BIN
  ? process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY
    ? 'a real Electron needs a display'
    : null
  : chromiumPath === null
    ? 'no Chromium found (set CHROMIUM_BIN)'
    : null

export interface DesktopOptions {
  home?: string
  /** as it would stand in config.json */
  config?: Record<string, unknown>
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
  /** another one than the build under test */
  main?: string
}

export interface DesktopApp {
  home: string
  app: ElectronApplication
  pid: number
  /** of its engine, or of the one it attached to */
  port: number
  baseUrl: string
  control: TestControl
  /** the window's page; waits for it */
  page(): Promise<Page>
  tray(): Promise<TrayState>
  /** chooses an entry of the tray's menu, as a person does */
  choose(label: string | RegExp): Promise<void>
  /** the same in the first menu of the app itself; false: it is not there */
  chooseInApp(label: string): Promise<boolean>
  state(): Promise<DoubleState>
  /**
   * a hand on the notification at this place in `state().notifications`; negative: from the end. null: not on a button
   */
  touch(at: number, button?: string | null): Promise<void>
  /** the button that answers dialogs from now on; null: nobody answers */
  answer(button: number | null): Promise<void>
  gone: Promise<number | null>
  /** ends it like a person who is sure */
  close(): Promise<void>
}

function desktopEnv(home: string, env: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    ...cleanEnv(),
    ONWARD_HOME: home,
    ONWARD_PORT: '0',
    ONWARD_TRAY: '1',
    DOUBLE_BUTTONS: '1',
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    ...(chromiumPath === null ? {} : { CHROMIUM_BIN: chromiumPath }),
    ...env,
  }
}

export async function startDesktop({
  home = newHome(),
  config,
  args = [],
  env = {},
  main = mainFile,
}: DesktopOptions = {}): Promise<DesktopApp> {
  if (!existsSync(main)) throw new Error('not built: run `npm run build` first')
  if (config) writeFileSync(join(home, 'config.json'), JSON.stringify(config))
  const app = await _electron.launch({
    executablePath: electronBin,
    args: [main, ...args],
    env: desktopEnv(home, env),
    timeout: 30_000,
  })
  const child = app.process()
  const said: string[] = []
  child.stderr?.on('data', (data: Buffer) => said.push(data.toString()))
  const forget = evidence(() => seenOf(home, said, child.exitCode))
  const gone = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
  const info = await waitFor('the engine of the desktop', () => {
    if (child.exitCode !== null) throw new Error(`the desktop ended with ${child.exitCode}: ${said.join('')}`)
    return engineOf(home)
  })
  const control = await connectForTest(home)
  const electron = electronOf(app)
  if (onlyDouble === null) await waitFor('the desktop', electron.isUp)
  return {
    home,
    app,
    control,
    gone,
    pid: child.pid ?? NaN,
    port: info.port,
    baseUrl: `http://127.0.0.1:${info.port}`,
    ...electron,
    page: () => app.firstWindow(),
    async close() {
      forget()
      control.dispose()
      if (child.exitCode !== null || child.signalCode !== null) return
      // a signal does not ask, so nothing depends on what a test left running
      child.kill('SIGTERM')
      await gone
    },
  }
}

/** What a person would ask for first when it ended by itself. */
function seenOf(home: string, said: readonly string[], exitCode: number | null): Exhibits {
  const found: Record<string, string> = { 'desktop-stderr.txt': `exit code: ${exitCode}\n${said.join('')}` }
  for (const folder of [crashFolder(home), join(home, 'logs')]) {
    if (!existsSync(folder)) continue
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isFile()) found[`desktop-${entry.name}`] = readFileSync(join(folder, entry.name), 'utf8')
  }
  return found
}

/** What the engine of a home says about itself; null while none lives there. */
export function engineOf(home: string): { pid: number; port: number } | null {
  const file = join(home, 'engine.json')
  const info = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { pid: number; port: number }) : null
  return info && systemProcesses().alive(info.pid) ? info : null
}

/** Starts the app once more by hand, as a shell or the system does. */
export function startAgain(
  home: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const asRoot = onlyDouble !== null && process.platform === 'linux' ? ['--no-sandbox'] : []
  return spawn(electronBin, [...asRoot, mainFile, ...args], {
    env: desktopEnv(home, env),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}
