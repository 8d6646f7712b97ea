import { OnwardError, messageOf, systemCodeOf } from '../base/errors.ts'

/** Advice for system errors on a file. */
const advice: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Free some space; Onward tries again at the next change',
  EDQUOT: 'your disk quota is used up. Free some space; Onward tries again at the next change',
  EROFS: 'the disk is read-only. Mount it writable, or choose another folder by --home or ROUTECODEX_SESSION_DIR',
  EACCES: 'it may not be accessed. Check owner and permissions of the folder',
  EPERM: 'it may not be accessed. Check owner and permissions of the folder',
  EMFILE: 'too many files are open. Raise the limit (ulimit -n)',
  ENFILE: 'too many files are open on this machine',
  EIO: 'the disk reports an error. Check the disk',
  ELOOP: 'a symbolic link stands in its place. Remove the link',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'a folder stands in its place',
  EEXIST: 'something of this name is there already',
  ENOENT: 'there is no such file or folder',
  ENAMETOOLONG: 'its name is too long',
  ETXTBSY: 'it is written at this moment',
  ENOEXEC: 'it is no program that runs here',
}

/** Returns why the system refused, and what to do about it, without the full stop. */
export function whyFailed(cause: unknown): string {
  const system = systemCodeOf(cause)
  const why = (system === null ? undefined : advice[system]) ?? messageOf(cause)
  return `${why}${system === null ? '' : ` (${system})`}`
}

/** Makes the error `store-failed`, with the system's code in `details.system` and a sentence that says what to do. */
export function storeFailed(doing: 'save' | 'read' | 'remove', file: string, cause: unknown): OnwardError {
  return new OnwardError('store-failed', `Onward could not ${doing} ${file}: ${whyFailed(cause)}.`, {
    cause,
    retryable: true,
    details: { file, system: systemCodeOf(cause) },
  })
}
