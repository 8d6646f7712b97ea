import { win32 } from 'node:path'
import type { Program } from '../../installed/program.ts'
import type { InstalledSystem } from '../../installed/types.ts'
import { typed } from '../output/service-text.ts'

/** How the program itself goes, which it can't do itself. */
export async function programGoes(
  program: Program,
  system: Pick<InstalledSystem, 'read'>,
  self: readonly string[],
): Promise<string> {
  switch (program.kind) {
    case 'deb-or-rpm':
      return (await system.read('/var/lib/dpkg/info/onward.list')) === null
        ? 'sudo dnf remove onward, or on SUSE: sudo zypper remove onward'
        : 'sudo apt remove onward'
    case 'appimage':
      return typed(['rm', program.path])
    case 'mac-app':
      return `Move ${program.contents.replace(/\/Contents$/, '')} to the Trash.`
    case 'windows':
      return `Settings, Apps, Installed apps, Onward; or run ${win32.join(program.folder, 'Uninstall Onward.exe')}`
    case 'node': {
      const script = self.at(-1) ?? ''
      return /[\\/]node_modules[\\/]onward[\\/]/.test(script)
        ? 'npm uninstall --global onward'
        : `It runs from ${script}: remove that folder.`
    }
  }
}
