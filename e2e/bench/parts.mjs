// Parts of the engine, bundled with the project's own builder as the program itself is, to be measured without a
// network.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '../..')

/**
 * Bundles `{ name: entry }`; `path(name)` is a module that Node loads. What is native is found from here, so the folder
 * stands in the repository's cache.
 */
export async function bundle(input) {
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const outDir = mkdtempSync(join(cache, 'onward-bench-part-'))
  const dispose = () => rmSync(outDir, { recursive: true, force: true })
  process.once('exit', dispose)
  await build({
    root,
    logLevel: 'error',
    configFile: false,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node20',
      minify: false,
      outDir,
      emptyOutDir: true,
      rollupOptions: {
        external: ['electron', 'node-pty', /^@lydell\/node-pty/, /^@napi-rs\/keyring/],
        input: Object.fromEntries(Object.entries(input).map(([name, entry]) => [name, resolve(root, entry)])),
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'part-[hash].mjs' },
      },
    },
  })
  return {
    path: (name) => join(outDir, `${name}.mjs`),
    load: (name) => import(pathToFileURL(join(outDir, `${name}.mjs`)).href),
    dispose,
  }
}

/** One part, loaded. */
export async function load(entry) {
  const bundled = await bundle({ part: entry })
  try {
    return await bundled.load('part')
  } finally {
    bundled.dispose()
  }
}

/** lower median; not a number of nothing */
export const median = (values) => quantile(values, 0.5)
export function quantile(values, q) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b)
  return sorted.length ? sorted[Math.floor((sorted.length - 1) * q)] : NaN
}
