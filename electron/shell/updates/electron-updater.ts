/** New versions by electron-updater, from the place that the package names. It is loaded when it is first asked. */
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { app } from 'electron'
import type { AppUpdater } from 'electron-updater'
import { createHash } from 'node:crypto'
import { readFileSync, createReadStream } from 'node:fs'
import { rm, chmod, copyFile, open, rename, stat } from 'node:fs/promises'
import { isNewer } from '../../../shared/newer-version.ts'
import { OnwardError, messageOf } from '../../engine/base/errors.ts'
import type { Log } from '../../engine/base/log.ts'
import { feedOf, isSafeFeed } from '../../updates/feed.ts'
import type { Install } from '../../installed/install.ts'
import { plainNotes } from '../../updates/plain-notes.ts'
import type { UpdateSource } from './source.ts'

/** Packages that can take a newer one's place by themselves; all others belong to a package manager or a person. */
const replacesItself: ReadonlySet<Install['kind']> = new Set(['appimage', 'mac', 'windows'])

/** null: nothing is installed from within. `version`: of this Onward */
export function electronUpdates(here: Install, version: string, log: Log): UpdateSource | null {
  const { feedFile } = here
  if (feedFile === null || !replacesItself.has(here.kind)) return null
  let loaded: Promise<AppUpdater> | null = null
  const updater = () => (loaded ??= load(feedFile, log))
  let ready: { file: string; sha512: string } | null = null
  return {
    async check() {
      const result = await (await updater()).checkForUpdates()
      if (!result?.isUpdateAvailable) return null
      const { updateInfo } = result
      if (!isNewer(updateInfo.version, version)) return null
      return { version: updateInfo.version, notes: plainNotes(updateInfo.releaseNotes) }
    },
    async download(progress) {
      const from = await updater()
      const onProgress = ({ percent }: { percent: number }) => progress(percent)
      from.on('download-progress', onProgress)
      const done = new Promise<string>((resolve) => {
        from.once('update-downloaded', ({ downloadedFile, files, sha512 }) => {
          const named = files.find(({ url }) => downloadedFile.endsWith(decodeURIComponent(url.replace(/^.*\//, ''))))
          ready = { file: downloadedFile, sha512: named?.sha512 ?? sha512 }
          resolve(downloadedFile)
        })
      })
      try {
        await from.downloadUpdate()
        await done
      } finally {
        from.off('download-progress', onProgress)
      }
    },
    async prepare() {
      if (!ready) throw new OnwardError('update-broken', 'There is no downloaded version.')
      // The library removes the old file before the new one is in its place.
      if (here.kind !== 'appimage') return
      const { file } = ready
      await replaceFile(here.file, ready).catch(async (error: unknown) => {
        // The library would offer the same file again.
        if (OnwardError.isInstance(error)) await rm(file, { force: true })
        throw error
      })
    },
    finish(restart) {
      if (here.kind === 'appimage') {
        if (restart) app.relaunch({ execPath: here.file, args: process.argv.slice(1) })
        return app.quit()
      }
      updater()
        .then((from) => {
          from.autoRunAppAfterInstall = restart
          from.quitAndInstall(true, restart)
        })
        .catch((error: unknown) => {
          log.error({ error: messageOf(error) }, 'the new version was not installed')
          app.quit()
        })
    },
  }
}

async function load(feedFile: string, log: Log): Promise<AppUpdater> {
  const feed = feedOf(readFileSync(feedFile, 'utf8'))
  if (feed === null || !isSafeFeed(feed))
    throw Object.assign(new Error(`${feedFile} names no place with https.`), {
      code: 'ERR_UPDATER_INVALID_PROVIDER_CONFIGURATION',
    })
  const { AppImageUpdater, MacUpdater, NsisUpdater } = await import('electron-updater')
  const made =
    process.platform === 'win32'
      ? new NsisUpdater()
      : process.platform === 'darwin'
        ? new MacUpdater()
        : new AppImageUpdater()
  made.autoDownload = false
  // Only when the person said so, and by us: an old program stays whole until the new one is.
  made.autoInstallOnAppQuit = false
  made.allowDowngrade = false
  made.disableWebInstaller = true
  // The library would send the server an id of this installation. Onward counts no users, so it is left out.
  made.requestHeaders = { 'x-user-staging-id': '' }
  made.logger = {
    info: (message) => log.debug({ updater: String(message) }, 'updates'),
    warn: (message) => log.info({ updater: String(message) }, 'updates'),
    error: (message) => log.info({ updater: String(message) }, 'updates'),
  }
  // Without a listener an error that is thrown as well would end the app.
  made.on('error', () => undefined)
  return made
}

/**
 * Beside the old one first, looked at there, then by one rename: power may go at any moment. The old program goes on
 * running from what it has open. `sha512`: in base64, as it was announced
 *
 * @throws OnwardError `update-broken`, or what the disk says; the old one is untouched then
 */
async function replaceFile(old: string, by: { file: string; sha512: string }): Promise<void> {
  const beside = join(dirname(old), `.${basename(old)}.new`)
  try {
    const { mode } = await stat(old)
    await copyFile(by.file, beside)
    if ((await sha512Of(beside)) !== by.sha512)
      throw new OnwardError('update-broken', 'The downloaded file is not what was announced.')
    await chmod(beside, (mode & 0o777) | 0o100)
    await flush(beside)
    await rename(beside, old)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

async function sha512Of(file: string): Promise<string> {
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash)
  return hash.digest('base64')
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
