import { dirname, posix, win32 } from 'node:path'

/** As what this Onward is installed. */
export type Program =
  | { kind: 'deb-or-rpm' }
  | { kind: 'appimage'; path: string }
  /** `contents`: of the bundle, `/Applications/Onward.app/Contents` */
  | { kind: 'mac-app'; contents: string }
  /** the folder of Onward.exe */
  | { kind: 'windows'; folder: string }
  /** npm, or the repository itself: Electron's program, if any, is not ours */
  | { kind: 'node' }

export interface Started {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  execPath: string
  /** the program is Electron under Onward's own name */
  packaged: boolean
}

export function programOf({ platform, env, execPath, packaged }: Started): Program {
  if (!packaged) return { kind: 'node' }
  switch (platform) {
    case 'darwin':
      return { kind: 'mac-app', contents: posix.dirname(posix.dirname(execPath)) }
    case 'win32':
      return { kind: 'windows', folder: win32.dirname(execPath) }
    default:
      return isMounted(env, execPath) ? { kind: 'appimage', path: env.APPIMAGE ?? '' } : { kind: 'deb-or-rpm' }
  }
}

/** Programs that an AppImage starts have its variables as well, and are not in it. */
function isMounted({ APPIMAGE, APPDIR }: Started['env'], execPath: string): boolean {
  return !!APPIMAGE && !!APPDIR && dirname(execPath) === APPDIR.replace(/\/$/, '')
}
