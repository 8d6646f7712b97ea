import { openSync, readSync, closeSync, fstatSync, readFileSync } from 'node:fs'
import { homedir, release } from 'node:os'
import { join } from 'node:path'
import { keepCrash } from '../engine/records/crash-shelf.ts'
import { engineLogFile } from '../hosts/engine-log.ts'
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

// Keys that this Onward knows, so that none of them gets into a report. Read at once: the program is about to end.

type Env = Readonly<Record<string, string | undefined>>

export function knownSecrets(home: string, env: Env): string[] {
  const named = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i.test(name) ? [value] : [],
  )
  const files = ['secrets.json', 'config.json', 'control-token'].flatMap((name) => textsIn(join(home, name)))
  return [...named, ...files].filter((text) => text.length >= 8)
}

/**
 * Every text of a JSON file that could be a key: none has a space in it. A file that can't be read holds none for us.
 */
function textsIn(file: string): string[] {
  try {
    const text = readFileSync(file, 'utf8')
    if (!file.endsWith('.json')) return [text.trim()]
    return Array.from(text.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?/g), ([, found = '', name]) =>
      name ? '' : found,
    ).filter((found) => /\d/.test(found) && !/^https?:|[/\\\s]/.test(found))
  } catch {
    return []
  }
}
