/** The announcements of new versions: the address in the package, and the file at that address. */
import { OnwardError, messageOf } from '../engine/base/errors.ts'

/** As electron-builder names the file of each system. */
const fileOf: Partial<Record<NodeJS.Platform, string>> = { win32: 'latest.yml', darwin: 'latest-mac.yml' }
const answersWithinMs = 10_000
const version = /^version:[ \t]*["']?(\d+\.\d+\.\d+[\w.+-]*)["']?[ \t]*$/m

export function announcedAt(feed: string, platform: NodeJS.Platform, arch: string): URL {
  const linux = arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${arch}.yml`
  return new URL(fileOf[platform] ?? linux, feed.endsWith('/') ? feed : `${feed}/`)
}

/** Returns the feed that an `app-update.yml` names; null: it names none that this program reads. */
export function feedOf(text: string): string | null {
  if (!/^provider:[ \t]*generic[ \t]*$/m.test(text)) return null
  const found = /^url:[ \t]*["']?(\S+?)["']?[ \t]*$/m.exec(text)?.[1]
  return found !== undefined && URL.canParse(found) ? found : null
}

/** An announcement without encryption could be forged on the way. This machine itself is not the way. */
export function isSafeFeed(feed: string): boolean {
  const { protocol, hostname } = new URL(feed)
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
}

/** @throws OnwardError `update-check`, with a sentence for the person */
export async function newestAt(address: URL, fetch: typeof globalThis.fetch): Promise<string> {
  if (!isSafeFeed(address.href))
    throw new OnwardError('update-check', `${address.origin} is not asked: it does not encrypt (https).`)
  const response = await fetch(address, { signal: AbortSignal.timeout(answersWithinMs), redirect: 'follow' }).catch(
    (error: unknown) => {
      throw new OnwardError('update-check', `${address.origin} could not be reached: ${messageOf(error)}.`, {
        cause: error,
      })
    },
  )
  if (!response.ok) throw new OnwardError('update-check', `${address.href} answered ${response.status}.`)
  const found = version.exec(await response.text())?.[1]
  if (found === undefined) throw new OnwardError('update-check', `${address.href} names no version.`)
  return found
}
