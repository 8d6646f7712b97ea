/** Reports of crashes: `<home>/crashes`, the newest few. Written by a program that is about to end, so at once. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CrashView } from '../../../shared/crash.ts'
import { systemCodeOf } from '../base/errors.ts'

const mostReports = 10
const longestReport = 256 * 1024
const named = /^crash-(\d+)\.txt$/

export const crashFolder = (home: string): string => join(home, 'crashes')

/** @returns where it is */
export function keepCrash(home: string, at: number, report: string): string {
  const folder = crashFolder(home)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  let time = at
  // Two in one millisecond are two.
  while (times(home).includes(time)) time++
  const path = pathOf(home, time)
  writeFileSync(path, report.slice(0, longestReport), { mode: 0o600, flag: 'wx' })
  for (const old of times(home).slice(mostReports)) rmSync(pathOf(home, old), { force: true })
  return path
}

/** The last one; null: there was none, or its report was deleted. */
export function lastCrash(home: string): CrashView | null {
  const [at] = times(home)
  if (at === undefined) return null
  const path = pathOf(home, at)
  return { at, path, report: readFileSync(path, 'utf8').slice(0, longestReport) }
}

/** All reports go. */
export function forgetCrashes(home: string): void {
  rmSync(crashFolder(home), { recursive: true, force: true })
}

const pathOf = (home: string, at: number): string => join(crashFolder(home), `crash-${at}.txt`)

/** Newest first. */
function times(home: string): number[] {
  try {
    return readdirSync(crashFolder(home))
      .flatMap((name) => named.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => b - a)
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return []
    throw error
  }
}
