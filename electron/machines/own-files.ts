/** Files that this very Onward is made of, as another machine needs them to run it. */
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { TarFile } from './tar.ts'

/** What a machine is to programs that were compiled for it: `linux-x64-glibc`. */
export function ownPlatform(): string {
  return platformOf(process.platform, process.arch, process.platform === 'linux' && !hasMusl())
}
export const platformOf = (system: string, arch: string, glibc: boolean): string =>
  `${system}-${arch}${glibc ? '-glibc' : ''}`

/** Electron has no report to read it from. */
const hasMusl = (): boolean => readdirSync('/lib').some((name) => name.startsWith('ld-musl-'))

export interface OwnFiles {
  files: TarFile[]
  /** packages with parts that are made for each platform, as package.json names them */
  native: Readonly<Record<string, string>>
}

/** Both are loaded by name when they are needed; all else is in the built files. */
const natives = ['node-pty', '@napi-rs/keyring']

const named = z.object({
  name: z.string(),
  version: z.string(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
})

/** The folder that has `out`, found from a file of `out/main`: an app's archive, a package or the repository. */
export const ownRoot = (): string => join(dirname(fileURLToPath(import.meta.url)), '../..')

/** @param withNatives as well the parts that run on this machine's platform only */
export async function ownFiles(root: string, version: string, withNatives: boolean): Promise<OwnFiles> {
  const main = join(root, 'out/main')
  const native: Record<string, string> = {}
  const files = [...(await under(main, 'out/main')), ...(await under(join(root, 'out/renderer'), 'out/renderer'))]
  for (const name of natives) {
    const folder = await folderOf(name, main)
    if (folder === null) throw new Error(`${name} is not where it would be loaded from`)
    const own = await packageIn(folder)
    native[name] = own.name === name ? own.version : `npm:${own.name}@${own.version}`
    if (!withNatives) continue
    files.push(...(await under(folder, `node_modules/${name}`)))
    for (const part of Object.keys(own.optionalDependencies ?? {})) {
      const there = await folderOf(part, folder)
      if (there !== null) files.push(...(await under(there, `node_modules/${part}`)))
    }
  }
  const manifest = { name: 'onward', version, private: true, license: 'MIT', type: 'module', dependencies: native }
  files.push({ path: 'package.json', bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) })
  files.push({ path: 'LICENSE', bytes: await readFile(join(root, 'LICENSE')) })
  return { files, native }
}

const packageIn = async (folder: string) =>
  named.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))

/** As Node looks for it from a file of `from`. null: it is not installed. */
async function folderOf(name: string, from: string): Promise<string | null> {
  for (const place of createRequire(join(from, 'here.js')).resolve.paths(name) ?? [])
    if (await readFile(join(place, name, 'package.json')).catch(() => null)) return join(place, name)
  return null
}

/** An app's archive is read by listing one folder after the other. Maps and the build's own notes stay here. */
async function under(folder: string, as: string): Promise<TarFile[]> {
  const found: TarFile[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name.endsWith('.map') || entry.name.startsWith('.') || entry.name === 'node_modules') continue
    const path = join(folder, entry.name)
    const name = `${as}/${entry.name}`
    if (entry.isDirectory()) found.push(...(await under(path, name)))
    // node-pty starts shells by it on macOS; an app's archive does not tell what is executable
    else found.push({ path: name, bytes: await readFile(path), executable: entry.name === 'spawn-helper' })
  }
  return found
}
