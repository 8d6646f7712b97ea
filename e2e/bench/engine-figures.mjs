// Figures of single parts of the engine, without a network: bundled once with the project's own builder.
import { rmSync } from 'node:fs'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { chatBody } from './bodies.mjs'

const root = resolve(import.meta.dirname, '../..')

async function load(entry) {
  const outDir = mkdtempSync(join(tmpdir(), 'onward-bench-part-'))
  try {
    await build({ root, logLevel: 'error', configFile: false, build: { ssr: resolve(root, entry), outDir, emptyOutDir: true, rollupOptions: { output: { entryFileNames: 'part.mjs' } } } })
    return await import(pathToFileURL(join(outDir, 'part.mjs')).href)
  } finally {
    rmSync(outDir, { recursive: true, force: true })
  }
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)]
function best(times, work) {
  const ms = []
  for (let i = 0; i < times; i++) {
    const from = performance.now()
    work()
    ms.push(performance.now() - from)
  }
  return median(ms)
}

/** title, unit, value and [must, goal] of each part */
export async function engineFigures() {
  const markers = await load('electron/engine/markers/index.ts')
  const chat = await load('electron/engine/protocol/chat/codec.ts')
  const hostile = '<**'.repeat(350_000)
  const body = chatBody(500_000)
  return [
    { title: '1 MB of hostile marker text', unit: 'ms', value: best(7, () => markers.stripText(hostile)), limits: [50, 10] },
    { title: 'longest block: reading a 500 KB body', unit: 'ms', value: best(15, () => { const lens = chat.chatCodec.read(body); lens.lastMessage(); lens.historyDigest() }), limits: [15, 8] },
  ]
}
