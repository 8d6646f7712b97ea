/** The `onward` command. */
import { fileURLToPath } from 'node:url'
import { version } from '../../package.json'
import { asNode as withinAppImage } from '../installed/command/as-node.ts'
import { installHere } from '../installed/install.ts'
import { ownCommand } from '../hosts/own-command.ts'
import { parts } from './parts.ts'
import { processCli } from './process-cli.ts'
import { run } from './run.ts'

// An installed Onward's command line is the app's program run as Node. A program it starts does not run as Node by
// itself, but another start of itself does.
const asNode = process.versions.electron === undefined ? [] : ['ELECTRON_RUN_AS_NODE=1']
delete process.env.ELECTRON_RUN_AS_NODE
const program = asNode.length > 0 && process.platform !== 'win32' ? ['/usr/bin/env', ...asNode] : []
const { env, execPath, platform } = process
const own = fileURLToPath(import.meta.url)
const install = installHere(own, env)
// A child process would lose the mount of this AppImage with this process, so it gets a mount of its own.
const self = install.kind === 'appimage' ? [...program, install.file, ...withinAppImage] : [...program, execPath, own]

void run(
  process.argv.slice(2),
  processCli({
    self,
    command: () =>
      ownCommand(
        {
          built: fileURLToPath(new URL('.', import.meta.url)),
          execPath,
          electron: asNode.length > 0,
          platform,
        },
        env.PATH ?? null,
      ),
    version,
    parts,
  }),
).then((status) => {
  // written out first: a pipe is not always synchronous
  process.stdout.write('', () => process.stderr.write('', () => process.exit(status)))
})
