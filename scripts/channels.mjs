// `npm run channels [-- --from FOLDER] [--to FOLDER]`: what Homebrew, winget, Scoop, the AUR, Nix, Flathub and
// SchemaStore are handed for a release, made of the built files in dist/desktop. ONWARD_HOMEPAGE says where the
// release is published. It hands in nothing: that is a person's, with an account there.
import { readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { product } from '../build/product.mjs'
import { releaseTable } from './channels/table.mjs'
import { channels, writeChannels } from './channels/write-channels.mjs'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' } } })
const from = resolve(values.from ?? join(root, 'dist/desktop'))
const to = resolve(values.to ?? join(root, 'dist/channels'))

if (!process.env.ONWARD_HOMEPAGE) {
  console.error('Say where the release is published: ONWARD_HOMEPAGE=https://github.com/owner/onward npm run channels')
  process.exit(1)
}
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const date = new Date().toISOString().slice(0, 10)
rmSync(to, { recursive: true, force: true })
const lacking = writeChannels(releaseTable({ manifest, product, folder: from, date }), to)
for (const channel of Object.keys(channels)) {
  const missing = lacking[channel]
  console.log(
    missing ? `${channel}: left out, ${from} has no ${missing.join(', ')}` : `${channel}: ${join(to, channel)}`,
  )
}
process.exitCode = Object.keys(lacking).length === 0 ? 0 : 1
