import { sep } from 'node:path'

/** `hidden`: what stands there may not be shown in any other way either. */
export type Refused = { ok: false; text: string; say: string; hidden?: true }
/** `path` has `/` between its parts; empty is the folder itself. */
export type Wanted = { ok: true; path: string; parts: readonly string[] } | Refused

const longest = 4_096

/** A path as a model writes it, before anything of the disk is looked at. */
export function relativePath(asked: string): Wanted {
  if (asked.length > longest) return refused('The path is too long.', 'not a path')
  if (asked.includes('\0')) return refused('The path holds a NUL character.', 'not a path')
  // A path that is absolute on the other system (a drive, a share) is no path of this folder either.
  if (/^(?:[\\/]|[A-Za-z]:|~(?:[\\/]|$))/.test(asked))
    return refused('Paths are relative to the session’s folder, like src/a.ts.', 'outside the folder')
  if (asked.split(/[\\/]/).includes('..'))
    return refused(
      'A path must not contain “..”: only what is in the session’s folder may be looked at.',
      'outside the folder',
    )
  // A second name of the same file (an alternate data stream) has a colon on Windows.
  if (sep === '\\' && asked.includes(':')) return refused('A path must not contain a colon.', 'not a path')
  const parts = (sep === '\\' ? asked.split(/[\\/]/) : asked.split('/')).filter((part) => part !== '' && part !== '.')
  return { ok: true, path: parts.join('/'), parts }
}

export const refused = (text: string, say: string): Refused => ({ ok: false, text, say })
export const hidden = (text: string, say: string): Refused => ({ ok: false, text, say, hidden: true })

/** A path in a text for a model or a person: one line, whatever the name is. */
export const shownPath = (path: string): string =>
  path === ''
    ? '.'
    : path.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`)
