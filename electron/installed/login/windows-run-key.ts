import type { InstalledSystem, LoginItem } from '../types.ts'

const key = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run'
/** Electron names its value after the app's id. */
const value = 'dev.onward.desktop'

/** The app's setting for login, as a program beside the app can see it and take it away. */
export function windowsRunKey(
  system: InstalledSystem,
): Pick<LoginItem, 'read'> & { where: string; remove(): Promise<void> } {
  return {
    where: `${key}\\${value}`,
    async read() {
      const { code } = await system.run(['reg', 'query', key, '/v', value])
      return { kind: code === 0 ? 'on' : 'off' }
    },
    async remove() {
      const { code, err } = await system.run(['reg', 'delete', key, '/v', value, '/f'])
      if (code !== 0) throw new Error(`The entry of ${value} in ${key} could not be removed: ${err.trim()}`)
    },
  }
}
