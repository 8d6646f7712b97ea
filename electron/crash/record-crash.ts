import { openSync, readSync, closeSync, fstatSync } from 'node:fs'
import { homedir, release } from 'node:os'
import { engineLogFile } from '../hosts/engine-log.ts'
import { keepCrash } from '../engine/records/crash-shelf.ts'
import { knownSecrets } from './known-secrets.ts'
import { crashReport, type CrashPlace } from './report.ts'

export interface CrashContext {
  home: string
  version: string
  env: Readonly<Record<string, string | undefined>>
  now(): number
}

export interface KeptCrash {
  report: string
  /** null: the disk took none */
  path: string | null
}

const logLines = 40
const tailBytes = 64 * 1024

/** Never throws: the caller is in trouble already. */
export function recordCrash(where: CrashPlace, what: unknown, context: CrashContext, startedAt?: number): KeptCrash {
  const report = reportOf(where, what, context, startedAt)
  try {
    return { report, path: keepCrash(context.home, context.now(), report) }
  } catch {
    return { report, path: null }
  }
}

/** Without keeping it. */
export function reportOf(where: CrashPlace, what: unknown, context: CrashContext, startedAt?: number): string {
  const { home, version, env, now } = context
  const { electron, node } = process.versions
  return crashReport({
    where,
    what,
    version,
    at: now(),
    system: `${process.platform} ${release()} ${process.arch}`,
    runtime: electron === undefined ? `Node ${node}` : `Electron ${electron}, Node ${node}`,
    ranFor: startedAt === undefined ? process.uptime() * 1000 : now() - startedAt,
    log: tailOf(engineLogFile(home)),
    secrets: knownSecrets(home, env),
    personsFolder: homedir(),
  })
}

function tailOf(file: string): string[] {
  try {
    const fd = openSync(file, 'r')
    try {
      const { size } = fstatSync(fd)
      const bytes = Buffer.alloc(Math.min(size, tailBytes))
      readSync(fd, bytes, 0, bytes.length, size - bytes.length)
      return bytes.toString('utf8').trimEnd().split('\n').slice(-logLines)
    } finally {
      closeSync(fd)
    }
  } catch {
    return []
  }
}
