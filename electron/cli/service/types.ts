/** A service, and the answers of a system's service manager about it. */

/** The program that is kept running. */
export interface ServiceSpec {
  /** `onward`, or `onward-1a2b3c4d` for another home than the usual one */
  name: string
  home: string
  version: string
  /** program first, all absolute */
  argv: readonly string[]
  env: Readonly<Record<string, string>>
  /** where the system may listen for it, so that clients wait while it is started anew; null: it listens itself */
  listens: { host: string; port: number } | null
}

export interface ServiceFile {
  /** absolute */
  path: string
  /** sealed, see seal.ts; null: this one is not to be there */
  text: string | null
}

/** A program that is run, with what it is run for. */
export interface Step {
  argv: readonly string[]
  why: string
  /** it is no failure when there is nothing to do for it */
  mayFail?: boolean
  /** it waits for an engine that ends, and that for its last answers */
  ends?: boolean
}

export interface ServiceState {
  /** null: the manager does not say */
  enabled: boolean | null
  running: boolean
  pid: number | null
  /** `127.0.0.1:5520`, where the system listens for it; null: nowhere */
  listens: string | null
}

export interface ServiceManager {
  kind: 'systemd' | 'launchd' | 'task-scheduler'
  /** `systemd user unit` */
  title: string
  /** the one that starts it first; all in one folder */
  filesOf(spec: ServiceSpec): readonly [ServiceFile, ...ServiceFile[]]
  /** null: it answers */
  unusable(): Promise<{ why: string; hint: string } | null>
  /** with the files written: it runs now and at each login */
  start(spec: ServiceSpec, state: ServiceState): readonly Step[]
  /** before the files are removed, of which these are there */
  stop(spec: ServiceSpec, there: readonly string[]): readonly Step[]
  afterRemoval(spec: ServiceSpec): readonly Step[]
  stateOf(spec: ServiceSpec): Promise<ServiceState>
  /** how to read what it printed */
  logOf(spec: ServiceSpec): string
  /** what a person should know and may do themselves: never run */
  advice(): Promise<readonly Advice[]>
}

export interface Advice {
  say: string
  /** null: nothing to type */
  command: string | null
}

export interface ProgramRun {
  /** null: it could not be started */
  code: number | null
  out: string
  err: string
}

/** The parts of this machine that are touched; handed in, so that every system's service is tested on any of them. */
export interface ServiceSystem {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  uid: number
  user: string
  /** null: there is none */
  read(path: string): Promise<Buffer | null>
  /** at once or not at all; makes missing folders. @returns the outermost folder it made, null: none */
  write(path: string, data: Buffer): Promise<string | null>
  remove(path: string): Promise<void>
  /** removes empty folders from this one up to that one */
  removeFolders(from: string, upTo: string): Promise<void>
  /** `withinMs`: how long it may take, half a minute by default */
  run(argv: readonly string[], withinMs?: number): Promise<ProgramRun>
  /** where an engine of this home would listen, as its config is now */
  addressOf(home: string): Promise<{ host: string; port: number }>
  /** of the login shell; null: it does not say */
  loginPath(): Promise<string | null>
  pause(ms: number): Promise<void>
}
