/** Why a path below the Onward home is refused, or null. What links do is seen only when the file is read. */
export function refuseGoalPath(path: string): string | null {
  if (path === '') return 'The file name is missing.'
  if (/[\p{Cc}"“”<>*]/u.test(path)) return 'The file name has quotes, < > * or control characters in it.'
  if (/^[\\/~]/.test(path) || /^[A-Za-z]:/.test(path))
    return 'The file must be named relative to the Onward home folder.'
  if (path.split(/[\\/]/).includes('..')) return 'The file name must not lead out of the Onward home folder with “..”.'
  return null
}
