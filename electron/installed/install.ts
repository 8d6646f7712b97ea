/** How this Onward is installed, found from its path: what replaces it, what starts it, and how it is removed. */
import { existsSync, readFileSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import { typed } from '../cli/output/typed.ts'

export type Install = {
  /** where the package says new versions are; null: it says nothing */
  feedFile: string | null
} & (
  | { kind: 'deb' | 'rpm'; at: string }
  /** the one file a person has; the program lies in a mount of it, another one at each start */
  | { kind: 'appimage'; file: string }
  /** the bundle, `/Applications/Onward.app` */
  | { kind: 'mac'; app: string }
  /** the folder of Onward.exe */
  | { kind: 'windows'; folder: string }
  /** a package of npm, the repository itself, or any other folder: Electron's program, if any, is not ours */
  | { kind: 'npm' | 'repository' | 'folder'; at: string }
)

export interface InstallFacts {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  /** absolute, of a file of the program: `…/out/main/onward.js` */
  program: string
  exists(path: string): boolean
  /** null: it is not there */
  read(path: string): string | null
}

const packageManagers = { deb: '/var/lib/dpkg/info/onward.list', rpm: '/var/lib/rpm' } as const

export function installOf(facts: InstallFacts): Install {
  const { dirname, join } = facts.platform === 'win32' ? win32 : posix
  const resources = /^(.*)[\\/]app\.asar(\.\w+)?[\\/]/.exec(facts.program)?.[1]
  if (resources === undefined) {
    const at = dirname(dirname(dirname(facts.program)))
    if (facts.exists(join(at, '.git'))) return { kind: 'repository', at, feedFile: null }
    return { kind: /[\\/]node_modules[\\/]/.test(facts.program) ? 'npm' : 'folder', at, feedFile: null }
  }
  const named = join(resources, 'app-update.yml')
  const feedFile = facts.exists(named) ? named : null
  const at = dirname(resources)
  if (facts.platform === 'darwin') return { kind: 'mac', app: dirname(at), feedFile }
  if (facts.platform === 'win32') return { kind: 'windows', folder: at, feedFile }
  const { APPIMAGE: file, APPDIR: mount } = facts.env
  // Programs that an AppImage starts have its variables as well, and are not in it.
  if (file && mount && at === mount.replace(/\/$/, '')) return { kind: 'appimage', file, feedFile }
  return { kind: packagedAs(facts, resources, at), at, feedFile }
}

function packagedAs(facts: InstallFacts, resources: string, at: string): 'deb' | 'rpm' | 'folder' {
  const said = facts.read(posix.join(resources, 'package-type'))?.trim()
  if (said === 'deb' || said === 'rpm') return said
  if (!at.startsWith('/opt/')) return 'folder'
  if (facts.exists(packageManagers.deb)) return 'deb'
  return facts.exists(packageManagers.rpm) ? 'rpm' : 'folder'
}

export const installHere = (
  program: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Install =>
  installOf({
    platform,
    env,
    program,
    exists: existsSync,
    read: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : null),
  })

/** As electron/machines/install.ts puts it there. @param at a folder's */
export const cameOverSsh = (at: string): boolean => /\/\.local\/share\/onward\/[^/]+$/.test(at)

/** The file or folder that an update replaces. */
export function placeOfInstall(install: Install): string {
  switch (install.kind) {
    case 'appimage':
      return install.file
    case 'mac':
      return install.app
    case 'windows':
      return install.folder
    case 'deb':
    case 'rpm':
    case 'npm':
    case 'repository':
    case 'folder':
      return install.at
  }
}

/** How the program itself is removed, which it can't do itself. */
export function programGoes(install: Install): string {
  switch (install.kind) {
    case 'deb':
      return 'sudo apt remove onward'
    case 'rpm':
      return 'sudo dnf remove onward, or on SUSE: sudo zypper remove onward'
    case 'appimage':
      return typed(['rm', install.file])
    case 'mac':
      return `Move ${install.app} to the Trash.`
    case 'windows':
      return `Settings, Apps, Installed apps, Onward; or run ${win32.join(install.folder, 'Uninstall Onward.exe')}`
    case 'npm':
      return 'npm uninstall --global onward'
    case 'folder':
      if (cameOverSsh(install.at)) return 'rm -r ~/.local/bin/onward ~/.local/share/onward'
      return `It runs from ${install.at}: remove that folder.`
    case 'repository':
      return `It runs from ${install.at}: remove that folder.`
  }
}
