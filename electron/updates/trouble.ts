/** Failures of an update, in the few kinds a person can do something about. */
import { messageOf, systemCodeOf } from '../engine/base/errors.ts'
import type { UpdateTrouble } from '../../shared/updates.ts'

const byCode: Readonly<Record<string, UpdateTrouble>> = {
  ERR_CHECKSUM_MISMATCH: 'broken',
  'update-broken': 'broken',
  ERR_UPDATER_INVALID_SIGNATURE: 'signature',
  ERR_UPDATER_CHANNEL_FILE_NOT_FOUND: 'no-version',
  ERR_UPDATER_NO_FILES_PROVIDED: 'no-version',
  ERR_UPDATER_ASSET_NOT_FOUND: 'no-version',
  ERR_UPDATER_INVALID_UPDATE_INFO: 'feed',
  ERR_UPDATER_INVALID_VERSION: 'feed',
  ERR_UPDATER_NO_CHECKSUM: 'feed',
  ERR_UPDATER_INVALID_PROVIDER_CONFIGURATION: 'feed',
  ENOSPC: 'disk',
  EACCES: 'disk',
  EPERM: 'disk',
  EROFS: 'disk',
  ENOENT: 'disk',
  EDQUOT: 'disk',
}
/** Node's words and Chromium's for a network that is not there, or broke off. */
const network =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ETIMEDOUT|EPIPE)$|net::ERR_(INTERNET|NAME|CONNECTION|NETWORK|ADDRESS|TIMED|PROXY|CONTENT_LENGTH|INCOMPLETE|EMPTY)|timed out|socket hang up|aborted/i

export function troubleOf(error: unknown): { why: UpdateTrouble; detail: string } {
  const code = systemCodeOf(error) ?? ''
  // The lines that the library adds after the first are headers and its own calls.
  const detail = (messageOf(error).split('\n', 1)[0] ?? '').slice(0, 300)
  const known = byCode[code]
  if (known) return { why: known, detail }
  if (code.startsWith('HTTP_ERROR_') || /, status \d{3}/.test(detail)) return { why: 'server', detail }
  if (network.test(code) || network.test(detail)) return { why: 'offline', detail }
  if (/sha(512|2) checksum mismatch/i.test(detail)) return { why: 'broken', detail }
  return { why: 'other', detail }
}
