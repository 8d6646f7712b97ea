// What the dashboard's page weighs before its first paint: the document, what it names, and the words of one language.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { program } from './onward.mjs'

const page = join(dirname(program), '../renderer')

export async function pageFigures() {
  const html = readFileSync(join(page, 'index.html'), 'utf8')
  const named = [...html.matchAll(/(?:href|src)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path)
  const words = readdirSync(join(page, 'assets')).filter((name) => /^spoken-en-.*\.js$/.test(name))
  if (words.length !== 1) throw new Error('the build has no file with the English words: spoken-en-*.js in assets')
  named.push(`assets/${words[0]}`)
  const sizes = ['index.html', ...named].map((path) => gzipSync(readFileSync(join(page, path)), { level: 9 }).length)
  return [
    {
      title: `the page before its first paint, compressed (${named.length} files)`,
      unit: 'KB',
      value: sizes.reduce((sum, bytes) => sum + bytes, 0) / 1000,
      limits: [300, 250],
    },
  ]
}
