/** The `onward` command. */
import { fileURLToPath } from 'node:url'
import { version } from '../../package.json'
import { parts } from './parts.ts'
import { processCli } from './process-cli.ts'
import { run } from './run.ts'

const status = await run(
  process.argv.slice(2),
  processCli({ self: [process.execPath, fileURLToPath(import.meta.url)], version, parts }),
)
// written out first: a pipe is not always synchronous
process.stdout.write('', () => process.stderr.write('', () => process.exit(status)))
