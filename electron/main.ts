/**
 * Electron's main file. It loads the app when compiled code is kept, which is for all of it. Electron is ready only
 * when this file and all that it waits for are loaded, so the app still speaks before that.
 */
import { version } from '../package.json'
import { keepCompiledCode } from './compiled-code.ts'
import { desktopHome } from './desktop-home.ts'

await keepCompiledCode(desktopHome(process.env), version)
const { startDesktopApp } = await import('./desktop-app.ts')
startDesktopApp()
