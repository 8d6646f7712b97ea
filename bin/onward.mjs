#!/usr/bin/env node
// The command line as built by `npm start`, `npm run build` or an installer.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const built = new URL('../out/main/onward.js', import.meta.url)
if (!existsSync(fileURLToPath(built))) {
  process.stderr.write('onward: not built yet. Run `npm run build` in the repository first.\n')
  process.exit(1)
}
await import(built.href)
