import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defineConfig } from 'electron-vite'
import react from '@vitejs/plugin-react'
import { inAscii } from './build/in-ascii.ts'
import { withoutHttp2 } from './build/without-http2.ts'
import { wordsAhead } from './build/words-ahead.ts'

const root = import.meta.dirname
/** another folder lets a build run beside tests that use the usual one */
const out = process.env.ONWARD_OUT ?? 'out'
/** Native or provided by the host; everything else is bundled, which is what makes the start quick. */
const external = [
  'electron',
  'node-pty',
  /^@lydell\/node-pty/,
  // Of dbus-native only for buses that are programs, which are never opened: with it eight more packages.
  'event-stream',
  // in a process of its own, which loads it with the first call
  /^@napi-rs\/keyring/,
]

/**
 * Small modules that are loaded with each other stand in one file: to find and open a file takes longer than to compile
 * what is in one of them.
 */
const together = {
  includeDependenciesRecursively: false,
  groups: Object.entries({
    'every-command': [
      'electron/(own-command|installed/install|installed/command/as-node)',
      'electron/cli/(common|exit|own-lines|output/typed)',
      'electron/engine/base/errors',
      'shared/commands/join-command',
    ],
    'asks-engine': [
      'electron/cli/(client|engine|person|place)',
      'electron/cli/output/(clean|columns|print|session-rows|style|width)',
      'electron/engine/base/check-own-socket',
      'electron/engine/control/(attach|engine-note|token)',
      'electron/engine/store/process-start',
      'shared/control/(address|proof|prove-to-engine|proven-socket)',
      'shared/(asks-for-person|parse-json|short-id|target-text)',
    ],
    // Commander stands with the program itself, which only commands may load: the host of terminals asks engines, too.
    'command-frame': ['electron/cli/command'],
    operations: [
      'shared/operations/[a-z]+',
      'shared/(notice-classes|settings|alarms/repeat-shape|config/names|control/switches|setup/first-run)',
    ],
    sentences: [
      'shared/sentences/(choices|excerpt|figures|needs|repeat-facts|shown-zone|types)',
      'shared/(problems|setup/tried|alarms/repeat|secrets/secrets)',
    ],
  }).map(([name, modules]) => ({ name, test: new RegExp(`/(${modules.join('|')})\\.ts$`) })),
}

/** What only the desktop app loads has a name of its own, so that the npm package can leave it out. */
const chunkName = ({ moduleIds }: { moduleIds: readonly string[] }): string =>
  moduleIds.some((id) => id.includes('/node_modules/electron-updater/'))
    ? 'part-electron-updater-[hash].js'
    : 'part-[name]-[hash].js'

/**
 * Less to read at each start, with every name kept, as a report of a crash shows them. In ASCII alone a file takes half
 * the memory: one sign beyond Latin-1 makes all of it two bytes each.
 */
const small = {
  compress: false,
  mangle: false,
  codegen: { removeWhitespace: true, asciiOnly: true, legalComments: 'none' },
} as const

/**
 * Says that the files beside it are CommonJS, whatever package they are in. Code of that kind is loaded in one go.
 */
const commonJsFolder = {
  name: 'onward:commonjs-folder',
  generateBundle(this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): void }) {
    this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' })
  },
}

/** What a phone shows where the page is installed. */
const phoneIcons = {
  name: 'onward:phone-icons',
  generateBundle(this: { emitFile(file: { type: 'asset'; fileName: string; source: Buffer }): void }) {
    for (const name of ['app-256.png', 'app-512.png'])
      this.emitFile({ type: 'asset', fileName: name, source: readFileSync(resolve(root, 'build/icons', name)) })
  },
}

// Chunks stand beside their entries: what finds its neighbours by import.meta.url is right wherever it ends up.
// One build for both hosts: `onward serve` runs the same files under plain Node 20+ that Electron's main process loads.
export default defineConfig({
  main: {
    plugins: [inAscii, withoutHttp2, commonJsFolder],
    build: {
      target: 'node20',
      outDir: join(out, 'main'),
      externalizeDeps: false,
      minify: false,
      sourcemap: true,
      license: { fileName: 'licenses.md' },
      rollupOptions: {
        external,
        // No module of ours does anything by being imported: one that only hands on what others export is left out.
        treeshake: { moduleSideEffects: (id: string) => id.includes('/node_modules/') },
        input: {
          main: resolve(root, 'electron/main.ts'),
          onward: resolve(root, 'electron/cli/onward.ts'),
          'demo-agent': resolve(root, 'electron/hosts/demo-agent.ts'),
          'pty-host': resolve(root, 'electron/hosts/pty-host.ts'),
          'keychain-helper': resolve(root, 'electron/hosts/keychain-helper.ts'),
          'convert-thread': resolve(root, 'electron/engine/pipeline/conversion-thread/thread.ts'),
          'page-thread': resolve(root, 'electron/engine/servertools/web-fetch/page/thread.ts'),
        },
        output: {
          format: 'cjs',
          // What is written for modules means what it means in modules.
          strict: true,
          entryFileNames: '[name].js',
          chunkFileNames: chunkName,
          codeSplitting: together,
          minify: small,
        },
      },
    },
  },
  preload: {
    build: {
      outDir: join(out, 'preload'),
      externalizeDeps: false,
      rollupOptions: {
        external: ['electron'],
        input: { preload: resolve(root, 'electron/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: resolve(root, 'renderer'),
    base: './',
    plugins: [react(), wordsAhead(), phoneIcons],
    build: {
      outDir: resolve(root, out, 'renderer'),
      minify: true,
      // read by e2e/bench/page-figures.mjs
      manifest: true,
      // Parts fetched later come one behind the other: to look for all of theirs at once keeps the first paint waiting,
      // and most of them are there.
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_, parts, { hostType }) => (hostType === 'html' ? parts : []),
      },
      license: { fileName: 'licenses.md' },
      rollupOptions: { input: resolve(root, 'renderer/index.html') },
    },
  },
})
