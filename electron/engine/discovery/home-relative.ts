import { sep } from 'node:path'

/** A path as a person writes it: their home is `~`. */
export const homeRelative = (path: string, home: string): string =>
  path === home ? '~' : path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path
