import { describe, expect, it } from 'vitest'
import { folderStep, nameOf, pathIn } from './folder-steps.ts'

const names = ['api', 'billing', 'board', 'Docs']

describe('keys in a list of folders', () => {
  it.each([
    ['ArrowDown', 0, { to: 'line', at: 1 }],
    ['ArrowDown', 3, { to: 'line', at: 3 }],
    ['ArrowUp', 0, { to: 'line', at: 0 }],
    ['End', 1, { to: 'line', at: 3 }],
    ['Home', 2, { to: 'line', at: 0 }],
    ['PageDown', 0, { to: 'line', at: 3 }],
    ['Enter', 2, { to: 'inside', at: 2 }],
    ['ArrowRight', 2, { to: 'inside', at: 2 }],
    ['Backspace', 2, { to: 'above' }],
    ['ArrowLeft', 2, { to: 'above' }],
    ['Escape', 2, null],
  ] as const)('%s on line %i', (key, at, step) => {
    expect(folderStep(key, '', names, at)).toEqual(step)
  })
  it.each([
    ['d', 'd', 0, 3],
    ['b', 'b', 0, 1],
    ['b', 'b', 1, 2],
    ['b', 'bb', 2, 1],
    ['o', 'bo', 1, 2],
  ] as const)('the letter %s as the end of %s, on line %i', (key, letters, at, line) => {
    expect(folderStep(key, letters, names, at)).toEqual({ to: 'line', at: line })
  })
  it('leads nowhere where there is nothing', () => {
    expect(folderStep('z', 'z', names, 0)).toBeNull()
    expect(folderStep('Enter', '', [], 0)).toBeNull()
    expect(folderStep('ArrowDown', '', [], 0)).toBeNull()
    expect(folderStep('ArrowLeft', '', [], 0)).toEqual({ to: 'above' })
  })
})

it('paths are joined as the machine writes them', () => {
  const listing = { parent: null, folders: [], more: false }
  expect(pathIn({ ...listing, path: '/', separator: '/' }, 'srv')).toBe('/srv')
  expect(pathIn({ ...listing, path: '/srv', separator: '/' }, 'app')).toBe('/srv/app')
  expect(pathIn({ ...listing, path: 'C:\\', separator: '\\' }, 'code')).toBe('C:\\code')
  expect([nameOf('/srv/app'), nameOf('/'), nameOf('C:\\code')]).toEqual(['app', '/', 'code'])
})
