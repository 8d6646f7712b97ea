// What the dashboard's page weighs before its first paint: the document and all that it waits for, words included.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { program } from './onward.mjs'

const page = join(dirname(program), '../renderer')
/** `start.ts` waits for the words of one language before anything is painted. */
const waitedFor = ['index.html', 'i18n/spoken-en.ts']

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

export async function pageFigures() {
  const manifest = JSON.parse(readFileSync(join(page, '.vite/manifest.json'), 'utf8'))
  const files = ['index.html', ...filesOf(manifest, waitedFor)]
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
