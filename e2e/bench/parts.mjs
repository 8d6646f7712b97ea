// Parts of the engine, bundled with the project's own builder as the program itself is, to be measured without a
// network.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, runnerImport } from 'vite'

const root = resolve(import.meta.dirname, '../..')

/** Modules, or CommonJS as the program is built, whose compiled code can be kept. */
const outputs = {
  es: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'part-[hash].mjs' },
  cjs: {
    format: 'cjs',
    strict: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'part-[name]-[hash].js',
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  },
}

/**
 * Bundles `{ name: entry }`; `path(name)` is a module that Node loads. What is native is found from here, so the folder
 * stands in the repository's cache.
 */
export async function bundle(input, format = 'es') {
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const outDir = mkdtempSync(join(cache, 'onward-bench-part-'))
  const dispose = () => rmSync(outDir, { recursive: true, force: true })
  process.once('exit', dispose)
  const { module } = await runnerImport(join(root, 'build/without-http2.ts'))
  await build({
    root,
    logLevel: 'error',
    configFile: false,
    plugins: [module.withoutHttp2],
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
        output: outputs[format],
      },
    },
  })
  if (format === 'cjs') writeFileSync(join(outDir, 'package.json'), '{ "type": "commonjs" }')
  const path = (name) => join(outDir, format === 'cjs' ? `${name}.js` : `${name}.mjs`)
  return {
    path,
    load: (name) => import(pathToFileURL(path(name)).href),
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
