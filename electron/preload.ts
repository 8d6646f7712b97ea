import { contextBridge, ipcRenderer } from 'electron'
import { shellChannels, type ShellBridge, type ShellState } from '../shared/commands/shell-calls.ts'

// The page talks to the engine over the control API like any browser; here it learns where it runs, and asks for what
// only the system can do.
const bridge: ShellBridge = {
  platform: process.platform,
  chooseFolder: (start) => ipcRenderer.invoke(shellChannels.chooseFolder, start),
  open: (file) => ipcRenderer.invoke(shellChannels.open, file),
  installation: () => ipcRenderer.invoke(shellChannels.installation),
  setLogin: (on) => ipcRenderer.invoke(shellChannels.setLogin, on),
  setCommand: (on) => ipcRenderer.invoke(shellChannels.setCommand, on),
  uninstall: () => ipcRenderer.invoke(shellChannels.uninstall),
  state: () => ipcRenderer.invoke(shellChannels.state),
  onState(changed) {
    ipcRenderer.on(shellChannels.stateChanged, (_event, state: ShellState) => changed(state))
  },
  update: (request) => ipcRenderer.invoke(shellChannels.update, request),
  takeOver: () => ipcRenderer.invoke(shellChannels.takeOver),
}
contextBridge.exposeInMainWorld('onwardShell', bridge)
