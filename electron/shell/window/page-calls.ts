import { BrowserWindow, dialog, ipcMain, shell, type IpcMainInvokeEvent, type OpenDialogOptions } from 'electron'
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { shellChannels, type ShellState } from '../../../shared/commands/shell-calls.ts'
import { updateRequests, type UpdateRequest } from '../../../shared/updates.ts'
import { howToOpen, pathAskedFor } from './open-file.ts'
import type { InstallationSeat } from '../system/installation.ts'
import type { Picture } from '../tray/picture.ts'

export interface PageCallsOptions {
  isOwnPage(url: string): boolean
  picture(): Picture
  /** says why a file could not be opened */
  trouble(error: unknown): void
  installation: InstallationSeat
  uninstall(): Promise<void>
  state(): ShellState
  update(request: UpdateRequest): Promise<void>
  takeOver(): Promise<boolean>
}

/** Answers the page's calls to the system; only the window's own page is answered. */
export function answerPage({ isOwnPage, picture, trouble, ...desktop }: PageCallsOptions): void {
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
    return desktop.installation.read()
  })
  ipcMain.handle(shellChannels.setLogin, (event, on: unknown) => {
    own(event)
    return desktop.installation.setLogin(on === true)
  })
  ipcMain.handle(shellChannels.setCommand, (event, on: unknown) => {
    own(event)
    return desktop.installation.setCommand(on === true)
  })
  ipcMain.handle(shellChannels.uninstall, (event) => {
    own(event)
    return desktop.uninstall()
  })
  ipcMain.handle(shellChannels.state, (event) => {
    own(event)
    return desktop.state()
  })
  ipcMain.handle(shellChannels.update, (event, wanted: unknown) => {
    own(event)
    const request = updateRequests.find((known) => known === wanted)
    if (request === undefined) throw new Error('That is nothing to do with an update.')
    return desktop.update(request)
  })
  ipcMain.handle(shellChannels.takeOver, (event) => {
    own(event)
    return desktop.takeOver()
  })
}

async function openFile(named: string): Promise<void> {
  // A link counts as its target.
  const path = await realpath(named)
  const found = await stat(path)
  const kind = found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other'
  if (howToOpen(path, { kind, executable: (found.mode & 0o111) !== 0 }, process.platform) === 'reveal')
    return shell.showItemInFolder(path)
  const why = await shell.openPath(path)
  if (why !== '') throw new Error(why)
}
