import { BrowserWindow, dialog, ipcMain, shell, type IpcMainInvokeEvent, type OpenDialogOptions } from 'electron'
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { shellChannels } from '../../shared/shell-calls.ts'
import { howToOpen, pathAskedFor } from './open-file.ts'
import type { InstallationSeat } from './installation.ts'
import type { Picture } from './picture.ts'

export interface PageCallsOptions {
  isOwnPage(url: string): boolean
  picture(): Picture
  /** says why a file could not be opened */
  trouble(error: unknown): void
  installation: InstallationSeat
  uninstall(): Promise<void>
}

/** Answers what the page of the window asks of the system; nobody else's page is answered. */
export function answerPage({ isOwnPage, picture, trouble, installation, uninstall }: PageCallsOptions): void {
  const own = ({ senderFrame }: IpcMainInvokeEvent) => {
    if (!senderFrame || !isOwnPage(senderFrame.url)) throw new Error('Only the dashboard may ask for this.')
  }
  ipcMain.handle(shellChannels.chooseFolder, async (event, start: unknown) => {
    own(event)
    const options: OpenDialogOptions = {
      properties: ['openDirectory', 'createDirectory'],
      ...(typeof start === 'string' && isAbsolute(start) ? { defaultPath: start } : {}),
    }
    const window = BrowserWindow.fromWebContents(event.sender)
    const { filePaths } = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options))
    return filePaths[0] ?? null
  })
  ipcMain.handle(shellChannels.open, async (event, wanted: unknown) => {
    own(event)
    const path = pathAskedFor(wanted, picture())
    if (path === null) return false
    try {
      await openFile(path)
      return true
    } catch (error) {
      trouble(error)
      return false
    }
  })
  ipcMain.handle(shellChannels.installation, (event) => {
    own(event)
    return installation.read()
  })
  ipcMain.handle(shellChannels.setLogin, (event, on: unknown) => {
    own(event)
    return installation.setLogin(on === true)
  })
  ipcMain.handle(shellChannels.setCommand, (event, on: unknown) => {
    own(event)
    return installation.setCommand(on === true)
  })
  ipcMain.handle(shellChannels.uninstall, (event) => {
    own(event)
    return uninstall()
  })
}

async function openFile(named: string): Promise<void> {
  // A link is what it leads to.
  const path = await realpath(named)
  const found = await stat(path)
  const kind = found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other'
  if (howToOpen(path, { kind, executable: (found.mode & 0o111) !== 0 }, process.platform) === 'reveal')
    return shell.showItemInFolder(path)
  const why = await shell.openPath(path)
  if (why !== '') throw new Error(why)
}
