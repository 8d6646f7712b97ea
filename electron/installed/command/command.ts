import type { CommandState } from '../../../shared/shell-calls.ts'
import type { Program } from '../program.ts'
import type { CommandItem, InstalledSystem } from '../types.ts'
import { appImageScript } from './appimage-script.ts'
import { macLink } from './mac-link.ts'
import { windowsPath } from './windows-path.ts'
import { windowsUserPath } from './windows-user-path.ts'

/** @param home Onward's, where it notes which folders it made */
export function commandOf(program: Program, system: InstalledSystem, home: string): CommandItem {
  switch (program.kind) {
    case 'mac-app':
      return macLink(system, home, program.contents)
    case 'appimage':
      return appImageScript(system, home, program.path)
    case 'windows':
      return windowsPath(windowsUserPath(system), program.folder)
    case 'deb-or-rpm':
      return given({ kind: 'with-package' })
    case 'node':
      return given({ kind: 'impossible', why: 'not-installed' })
  }
}

const given = (state: CommandState): CommandItem => ({
  read: async () => state,
  install: async () => undefined,
  remove: async () => undefined,
})
