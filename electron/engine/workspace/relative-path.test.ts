import { describe, expect, it } from 'vitest'
import { relativePath, shownPath } from './relative-path.ts'

describe('a path as a model writes it', () => {
  it.each([
    '/etc/passwd',
    '//server/share',
    '\\\\server\\share',
    '\\windows',
    'C:\\x',
    'c:/x',
    'C:x',
    '~',
    '~/x',
    '~\\x',
    '..',
    '../x',
    'a/../b',
    'a/..',
    'a\\..\\..\\b',
    '..\\x',
    'a\0b',
    'x'.repeat(5_000),
  ])('refuses %j', (path) => {
    expect(relativePath(path)).toMatchObject({ ok: false })
  })

  it.each([
    ['', ''],
    ['.', ''],
    ['./', ''],
    ['./src//a.ts', 'src/a.ts'],
    ['src/', 'src'],
    ['...', '...'],
    ['..a/b..', '..a/b..'],
    ['-rf', '-rf'],
    [':(top)x', ':(top)x'],
    ['~a', '~a'],
    ['a b\n"c"', 'a b\n"c"'],
  ])('reads %j as %j', (path, plain) => {
    expect(relativePath(path)).toMatchObject({ ok: true, path: plain })
  })

  it('is shown in one line', () => {
    expect(shownPath('a\nb\u2028c\u202ed')).toBe('a\\u{a}b\\u{2028}c\\u{202e}d')
    expect(shownPath('')).toBe('.')
  })
})
