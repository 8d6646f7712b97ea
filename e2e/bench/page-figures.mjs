// Figures of the dashboard's page. What it weighs before it draws anything of its own, which is the document and all
// that it waits for, words included; where there is a Chromium, when it is seen and how soon it answers a key.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { hasBrowser } from './browser.mjs'
import { keyFigures } from './key-figures.mjs'
import { program } from './onward.mjs'
import { paintFigures } from './paint-figures.mjs'

const page = join(dirname(program), '../renderer')
/** `start.ts` waits for the words of one language before anything is painted. */
const entries = ['index.html', 'i18n/spoken-en.ts']

/** Every file of these entries, and of what they import statically. */
export function filesOf(manifest, entries) {
  const files = new Set()
  const seen = new Set()
  const visit = (name) => {
    if (seen.has(name)) return
    seen.add(name)
    const chunk = manifest[name]
    if (chunk === undefined) throw new Error(`the build's manifest has no ${name}`)
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    for (const next of chunk.imports ?? []) visit(next)
  }
  for (const entry of entries) visit(entry)
  return [...files]
}

export async function pageFigures(upstream) {
  return [...weight(), ...(hasBrowser() ? [...(await paintFigures(upstream)), ...(await keyFigures(upstream))] : [])]
}

function weight() {
  const manifest = JSON.parse(readFileSync(join(page, '.vite/manifest.json'), 'utf8'))
  const files = ['index.html', 'first.js', ...filesOf(manifest, entries)]
  const sizes = files.map((path) => gzipSync(readFileSync(join(page, path)), { level: 9 }).length)
  return [
    {
      title: 'the page before its first paint, compressed',
      unit: 'KB',
      value: sizes.reduce((sum, bytes) => sum + bytes, 0) / 1000,
      limits: [250, 180],
    },
  ]
}
