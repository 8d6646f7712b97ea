import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

export const mainFile = resolve(import.meta.dirname, '../../../out/main/main.js')

/** What is not here to look with, each as a line that says what to do. */
export function missingFor({ env, platform, main = mainFile }) {
  const linux = platform === 'linux'
  return [
    ...electronMissing(env.ELECTRON_BIN),
    ...(existsSync(main) ? [] : ['The build: npm run build']),
    ...(linux && !env.DISPLAY && !env.WAYLAND_DISPLAY
      ? ['A display: run it in a session of a desktop, or below `xvfb-run -a`']
      : []),
    ...(linux && !env.DBUS_SESSION_BUS_ADDRESS
      ? ['A session bus: run it in a session of a desktop, or below `dbus-run-session --`']
      : []),
  ]
}

function electronMissing(path) {
  if (!path)
    return ['Electron: ELECTRON_BIN=node_modules/electron/dist/electron, after `node node_modules/electron/install.js`']
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile() ? [] : [`Electron: ELECTRON_BIN is no program: ${path}`]
  } catch {
    return [`Electron: ELECTRON_BIN is no program that can be started: ${path}`]
  }
}
