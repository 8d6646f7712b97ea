import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { product } from '../../../build/product.mjs'
import { releaseTable } from '../table.mjs'

export const manifest = { name: 'onward', version: '0.1.0', license: 'MIT' }
export const homepage = 'https://github.com/owner/onward'

const built = [
  'onward-0.1.0.tgz',
  'onward_0.1.0_amd64.deb',
  'Onward-0.1.0-arm64.dmg',
  'Onward-0.1.0.dmg',
  'Onward-Setup-0.1.0.exe',
]

/** A folder with files named as the packagers name them; each has its name as content. */
export function releaseFolder(files: readonly string[] = built): string {
  const folder = mkdtempSync(join(tmpdir(), 'onward-release-'))
  for (const file of files) writeFileSync(join(folder, file), file)
  return folder
}

/** @param facts other values than those of build/product.mjs and package.json */
export const tableOf = (folder: string, facts: Record<string, unknown> = {}) =>
  releaseTable({
    manifest: { ...manifest, ...facts },
    product: { ...product, homepage, ...facts },
    folder,
    date: '2026-11-29',
  })
