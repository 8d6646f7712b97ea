/**
 * Electron's main file. It loads the app when compiled code is kept, which is for all of it. Nothing here waits
 * for anything outside: the app still speaks before Electron is ready.
 */
import { version } from '../package.json'
import { keepCompiledCode } from './hosts/compiled-code.ts'
import { letDeadTerminalGo } from './hosts/dead-terminal.ts'
import { desktopHome } from './hosts/desktop-home.ts'

letDeadTerminalGo()
keepCompiledCode(desktopHome(process.env), version)
void import('./hosts/desktop-app.ts').then(({ startDesktopApp }) => startDesktopApp())
