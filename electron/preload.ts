import { contextBridge } from 'electron'

// The page talks to the engine over the control API like any browser; it only learns where it runs.
contextBridge.exposeInMainWorld('onwardShell', { platform: process.platform })
