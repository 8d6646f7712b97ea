import { describe, expect, it } from 'vitest'
import { sampleSession, sampleStatus } from '../../engine/control/testing/fake-control-api.ts'
import { howToOpen, pathAskedFor } from './open-file.ts'
import { noPicture, pictureAfter } from '../tray/picture.ts'

const picture = pictureAfter(noPicture('en'), {
  type: 'snapshot',
  status: sampleStatus({ home: '/h', configPath: '/h/config.json' }),
  sessions: [sampleSession({ id: 's1', cwd: '/code/app' }), sampleSession({ id: 's2', cwd: null })],
  terminals: [],
})

describe('what the page may have opened', () => {
  it.each([
    ['config', '/h/config.json'],
    ['home', '/h'],
    ['logs', '/h/logs'],
    [{ folderOf: 's1' }, '/code/app'],
    [{ folderOf: 's2' }, null],
    [{ folderOf: '/etc' }, null],
    ['/etc/passwd', null],
    [{ path: '/etc/passwd' }, null],
    [null, null],
  ])('%j is %s', (wanted, path) => {
    expect(pathAskedFor(wanted, picture)).toBe(path)
  })
  it('is nothing while there is no engine', () => {
    expect(pathAskedFor('home', noPicture('en'))).toBeNull()
  })
})

describe('a file is opened only where that starts nothing', () => {
  const folder = { kind: 'folder', executable: true } as const
  const file = { kind: 'file', executable: false } as const
  it.each([
    ['/code/app', folder, 'linux', 'open'],
    ['/code/Tool.app', folder, 'darwin', 'reveal'],
    ['/code/my.app', folder, 'linux', 'open'],
    ['/h/config.json', file, 'linux', 'open'],
    ['/h/config.json', { kind: 'file', executable: true }, 'linux', 'reveal'],
    ['C:\\h\\run.bat', file, 'win32', 'reveal'],
    ['/h/pipe.txt', { kind: 'other', executable: false }, 'linux', 'reveal'],
  ] as const)('%s (%j, %s): %s', (path, found, platform, way) => {
    expect(howToOpen(path, found, platform)).toBe(way)
  })
})
