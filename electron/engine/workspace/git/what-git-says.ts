import type { ProgramEnd } from '../types.ts'

/** Beginnings of what git says when it fails; none has anything of a file in it. */
const known = [
  'bad object',
  'bad tree object',
  'bad revision',
  'bad config',
  'bad shallow line',
  'bad signature',
  'could not open directory',
  'detected dubious ownership',
  'index file',
  'loose object',
  'missing blob object',
  'not a git repository',
  'not a tree object',
  'packed object',
  'unable to read',
  'unexpected line in',
  'unknown repository extension',
]

/**
 * Why git failed, in those words of git that are always the same. What git adds is often the line it could not read: if
 * the repository's own files are links, that may be a line of any file on the disk.
 */
export function whatGitSays({ stderr, exitCode }: Pick<ProgramEnd, 'stderr' | 'exitCode'>): string {
  const first = /^(?:fatal|error): (.*)$/m.exec(stderr)?.[1] ?? ''
  const said = known.find((words) => first.startsWith(words))
  return said === undefined ? `it ended with exit code ${exitCode ?? 'none'}.` : `it says “${said} …”.`
}
