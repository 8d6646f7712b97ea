import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A built file for each kind of channel, under the name that the packagers give it. */
const fileNames = (name, title, version) => ({
  npm: `${name}-${version}.tgz`,
  deb: `${name}_${version}_amd64.deb`,
  macArm: `${title}-${version}-arm64.dmg`,
  macIntel: `${title}-${version}.dmg`,
  windows: `${title}-Setup-${version}.exe`,
})

/** Texts stand in one line of every form, and their signs each writer quotes. XML has no U+FFFE and U+FFFF. */
const unwritable = /[\p{Cc}\u2028\u2029\ufffe\uffff]/u

/**
 * Everything that a channel tells of a release: the one table that all of them are written from.
 * @param manifest package.json
 * @param product build/product.mjs
 * @param folder with the built files; of each that is there the table has address and hash
 * @throws where a value could not stand in every form
 */
export function releaseTable({ manifest, product, folder, date }) {
  const { name, version, license } = manifest
  const { title, homepage } = product
  const hold = (what, value, shape) => {
    if (!shape.test(value)) throw new Error(`The ${what} ${JSON.stringify(value)} can’t be told to every channel.`)
  }
  hold('name', name, /^[a-z][a-z0-9-]*$/)
  hold('title', title, /^[A-Za-z][A-Za-z0-9-]*$/)
  hold('version', version, /^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$/)
  hold('homepage', homepage, /^https:\/\/[\w.-]+(\/[\w.~-]+)*$/)
  hold('license', license, /^[\w.-]+$/)
  for (const text of [product.publisher, product.summary, product.description, ...product.keywords])
    if (text === '' || text !== text.trim() || unwritable.test(text) || !text.isWellFormed())
      throw new Error(`${JSON.stringify(text)} can’t stand in one line of every channel.`)
  const downloads = `${homepage}/releases/download/v${version}`
  const files = Object.fromEntries(
    Object.entries(fileNames(name, title, version)).flatMap(([kind, file]) => {
      const path = join(folder, file)
      if (!existsSync(path)) return []
      const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
      return [[kind, { file, sha256, url: `${downloads}/${encodeURIComponent(file)}` }]]
    }),
  )
  return { ...product, name, version, license, date, files, names: fileNames(name, title, version) }
}
