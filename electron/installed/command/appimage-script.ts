import { join } from 'node:path'
import type { CommandItem, InstalledSystem } from '../types.ts'
import { asNode } from './as-node.ts'
import { commandInFolder } from './in-folder.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const textOf = (appImage: string): string => `#!/bin/sh
# Written by Onward: the command line of its AppImage. "Remove the command" in Onward's settings takes it away.
app=${quoted(appImage)}
if [ ! -x "$app" ]; then
  echo "onward: $app is not there any more. Start Onward's AppImage where it is now, and install the command anew." >&2
  exit 127
fi
ELECTRON_RUN_AS_NODE=1 exec "$app" ${asNode.map(quoted).join(' ')} "$@"
`

/** Linux, an AppImage: a script in the person's own folder of programs. */
export function appImageScript(system: InstalledSystem, home: string, appImage: string): CommandItem {
  return commandInFolder({
    system,
    home,
    paths: [join(system.env.HOME ?? '/', '.local/bin/onward')],
    async held(path) {
      if ((await system.linkTarget(path)) !== null) return 'foreign'
      const text = (await system.read(path))?.toString() ?? null
      if (text === null) return 'nothing'
      if (text === textOf(appImage)) return 'ours'
      // One of another AppImage, or of an Onward before this one; what a person changed there is theirs.
      const of = /^app='(.*)'$/m.exec(text)?.[1]?.replaceAll("'\\''", "'")
      return of !== undefined && text === textOf(of) ? 'stale' : 'foreign'
    },
    async put(path) {
      const made = await system.write(path, Buffer.from(textOf(appImage)))
      await system.makeExecutable(path)
      return made
    },
  })
}
