/** Folders of the engine's machine, as a person chooses one of them. Never what files say. */

export interface FolderListing {
  /** absolute */
  path: string
  /** null: nothing is above it */
  parent: string | null
  /** names of the folders in it, in the order of a file manager */
  folders: readonly string[]
  /** how its names are joined to its path */
  separator: '/' | '\\'
  /** there are more than are listed */
  more: boolean
}

/** Why a folder can't be shown: codes that the dashboard has words of its own for. */
export const folderProblems = ['folder-not-found', 'folder-not-readable', 'not-a-folder'] as const
export type FolderProblem = (typeof folderProblems)[number]
