/** Decides whether `onward start` can open the desktop app, without starting or downloading anything. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Cli } from './cli.ts'

export type StartDecision =
  | { kind: 'desktop'; program: string; args: readonly string[] }
  | { kind: 'serve'; why: string }

export interface DesktopFacts {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  /** the app itself, when this is its own Node; null under plain Node */
  packagedApp: string | null
  /** Electron's binary of the repository, null when it was never downloaded */
  electronBinary: string | null
  /** the built main file, null when only the command line was built */
  mainFile: string | null
}

export function decideStart(facts: DesktopFacts): StartDecision {
  if (facts.platform === 'linux' && !facts.env.DISPLAY && !facts.env.WAYLAND_DISPLAY)
    return { kind: 'serve', why: 'there is no display' }
  if (facts.packagedApp !== null) return { kind: 'desktop', program: facts.packagedApp, args: [] }
  if (facts.electronBinary === null) return { kind: 'serve', why: 'Electron’s binary is not installed' }
  if (facts.mainFile === null) return { kind: 'serve', why: 'the desktop app is not built' }
  return { kind: 'desktop', program: facts.electronBinary, args: [facts.mainFile] }
}

/** `require('electron')` would download a missing binary, so its own note (`path.txt`) is read instead. */
export function desktopFacts(cli: Pick<Cli, 'platform' | 'env' | 'self'>): DesktopFacts {
  const here = dirname(cli.self.at(-1) ?? '')
  const main = join(here, 'main.js')
  return {
    platform: cli.platform,
    env: cli.env,
    packagedApp: process.versions.electron ? process.execPath : null,
    electronBinary:
      cli.env.ELECTRON_BIN && existsSync(cli.env.ELECTRON_BIN) ? cli.env.ELECTRON_BIN : installedElectron(here),
    mainFile: existsSync(main) ? main : null,
  }
}

function installedElectron(from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const electron = join(folder, 'node_modules', 'electron')
    const note = join(electron, 'path.txt')
    if (existsSync(note)) {
      const binary = join(electron, 'dist', readFileSync(note, 'utf8').trim())
      return existsSync(binary) ? binary : null
    }
    if (dirname(folder) === folder) return null
  }
}
