import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { homeShort } from './home-short.ts'

describe('a folder', () => {
  it.each([
    ['/home/ada/code/billing', '~/code/billing'],
    ['/Users/ada', '~'],
    [posix.join('/root', 'x'), '~/x'],
    ['C:\\Users\\ada\\x', '~\\x'],
    ['/homework/x', '/homework/x'],
    ['/rooted', '/rooted'],
    ['/srv', '/srv'],
    [null, ''],
  ])('%s reads %s', (path, short) => expect(homeShort(path)).toBe(short))
})
