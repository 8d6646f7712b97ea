/** How this Onward was installed, told from where it lies. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { InstallKind } from '../../shared/updates.ts'

export interface InstallFacts {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  /** absolute, of a file of the program: `…/out/main/onward.js` */
  program: string
  exists(path: string): boolean
  /** null: it is not there */
  read(path: string): string | null
}

export interface Installed {
  kind: InstallKind
  /** what has to be replaced: the program's folder, or the one file of an AppImage */
  at: string
  /** where the package says new versions are; null: it says nothing */
  feedFile: string | null
}

const packageManagers = { deb: '/var/lib/dpkg/info/onward.list', rpm: '/var/lib/rpm' } as const

export function installed(facts: InstallFacts): Installed {
  const root = dirname(dirname(dirname(facts.program)))
  const resources = resourcesOf(facts.program)
  if (resources === null) {
    if (facts.exists(join(root, '.git'))) return { kind: 'repository', at: root, feedFile: null }
    return { kind: /[\\/]node_modules[\\/]/.test(facts.program) ? 'npm' : 'folder', at: root, feedFile: null }
  }
  const named = join(resources, 'app-update.yml')
  return { ...packaged(facts, resources), feedFile: facts.exists(named) ? named : null }
}

function packaged(facts: InstallFacts, resources: string): Omit<Installed, 'feedFile'> {
  const at = dirname(resources)
  if (facts.platform === 'darwin') return { kind: 'mac', at: dirname(at) }
  if (facts.platform === 'win32') return { kind: 'windows', at }
  const said = facts.read(join(resources, 'package-type'))?.trim()
  if (said === 'deb' || said === 'rpm') return { kind: said, at }
  if (facts.env.APPIMAGE) return { kind: 'appimage', at: facts.env.APPIMAGE }
  if (at.startsWith('/opt/')) {
    if (facts.exists(packageManagers.deb)) return { kind: 'deb', at }
    if (facts.exists(packageManagers.rpm)) return { kind: 'rpm', at }
  }
  return { kind: 'folder', at }
}

/** The folder of the archive that the program lies in; null: it lies in none. */
function resourcesOf(program: string): string | null {
  const found = /^(.*)[\\/]app\.asar(\.\w+)?[\\/]/.exec(program)
  return found?.[1] ?? null
}

export const installedHere = (
  program: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): Installed =>
  installed({
    platform,
    env,
    program,
    exists: existsSync,
    read: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : null),
  })
