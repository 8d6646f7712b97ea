import { join } from 'node:path'
import type { CommandItem, InstalledSystem } from '../types.ts'
import { commandInFolder } from './in-folder.ts'

/** Matches any Onward.app: one that was moved or replaced leaves a link to its old place. */
const ofAnApp = /\/Onward[^/]*\.app\/Contents\/Resources\/bin\/onward$/

/** macOS: a link to the script in the bundle, which finds its way back by the link. */
export function macLink(system: InstalledSystem, home: string, contents: string): CommandItem {
  const script = join(contents, 'Resources/bin/onward')
  const link = commandInFolder({
    system,
    home,
    // The first is on every PATH; it is root's where no other program came before.
    paths: ['/usr/local/bin/onward', join(system.env.HOME ?? '/', '.local/bin/onward')],
    async held(path) {
      const target = await system.linkTarget(path)
      if (target === script) return 'ours'
      if (target !== null) return ofAnApp.test(target) ? 'stale' : 'foreign'
      return (await system.read(path)) === null ? 'nothing' : 'foreign'
    },
    put: (path) => system.link(script, path),
  })
  // Run from the image, or before it was moved, its place is gone tomorrow (Gatekeeper Path Randomization).
  const passing = contents.startsWith('/Volumes/') || contents.includes('/AppTranslocation/')
  return passing ? { ...link, read: async () => ({ kind: 'impossible', why: 'not-moved' }) } : link
}
