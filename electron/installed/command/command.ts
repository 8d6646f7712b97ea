import { posix } from 'node:path'
import type { CommandState } from '../../../shared/commands/shell-calls.ts'
import type { Install } from '../install.ts'
import type { CommandItem, InstalledSystem } from '../types.ts'
import { appImageScript } from './appimage-script.ts'
import { macLink } from './mac-link.ts'
import { windowsPath } from './windows-path.ts'
import { windowsUserPath } from './windows-user-path.ts'

/** @param home Onward's, where it notes which folders it made */
export function commandOf(install: Install, system: InstalledSystem, home: string): CommandItem {
  switch (install.kind) {
    case 'mac':
      return macLink(system, home, posix.join(install.app, 'Contents'))
    case 'appimage':
      return appImageScript(system, home, install.file)
    case 'windows':
      return windowsPath(windowsUserPath(system), install.folder)
    case 'deb':
    case 'rpm':
      return given({ kind: 'with-package' })
    case 'npm':
    case 'repository':
    case 'folder':
      return given({ kind: 'impossible', why: 'not-installed' })
  }
}

const given = (state: CommandState): CommandItem => ({
  read: async () => state,
  install: async () => undefined,
  remove: async () => undefined,
})
