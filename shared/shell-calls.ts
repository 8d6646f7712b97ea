/** What the page may ask of the desktop around it, by the bridge of the preload script. In a browser there is none. */
export const shellChannels = { chooseFolder: 'onward:choose-folder', open: 'onward:open' } as const

/** Files and folders by what they are to the engine; where they are, the desktop knows from the engine itself. */
export type ShellFile = 'config' | 'home' | 'logs' | { folderOf: string }

export interface ShellBridge {
  platform: string
  /** the system's own dialog; null: the person chose none */
  chooseFolder(start: string): Promise<string | null>
  /** false: it was not opened, and the person was told why */
  open(file: ShellFile): Promise<boolean>
}
