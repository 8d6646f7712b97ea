import { describe, expect, it } from 'vitest'
import { ariaKeys, keyLabel, shortcutOf, shortcuts, type KeyPress } from './shortcuts.ts'

const press = (key: string, over: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...over,
})

describe('shortcuts', () => {
  it.each([
    [press('k', { ctrlKey: true }), 'palette'],
    [press('3', { ctrlKey: true, code: 'Digit3' }), 'activity'],
    [press('p'), 'pauseSession'],
    [press('P', { shiftKey: true }), 'pauseAll'],
    [press('+', { shiftKey: true }), 'addTen'],
    [press('+'), 'addTen'],
    [press('?', { shiftKey: true }), 'help'],
    [press('/', { shiftKey: true }), 'search'],
    [press('Escape'), 'back'],
    [press('F2'), 'rename'],
    [press('F6', { shiftKey: true }), 'previousPane'],
    [press('5', { code: 'Digit5' }), 'details'],
    [press('f', { ctrlKey: true, shiftKey: true }), 'findInTerminal'],
    [press('p', { altKey: true }), null],
    [press('p', { ctrlKey: true }), null],
    [press('x'), null],
    [press('k', { metaKey: true }), null],
  ])('%j', (key, id) => expect(shortcutOf(key, 'page', false)).toBe(id))

  it('take ⌘ for Ctrl on macOS', () => {
    expect(shortcutOf(press('k', { metaKey: true }), 'page', true)).toBe('palette')
    expect(shortcutOf(press('k', { ctrlKey: true }), 'page', true)).toBeNull()
    expect(keyLabel('Ctrl K', true)).toBe('⌘ K')
    expect(ariaKeys('palette', true)).toBe('Meta+K')
    expect(ariaKeys('back', false)).toBe('Escape')
  })

  it('leave letters to whoever is typing', () => {
    for (const key of ['p', 'j', 'n', 'w', 'g', 'r', '/', '+', '?', '1']) {
      expect(shortcutOf(press(key), 'input', false)).toBeNull()
      expect(shortcutOf(press(key), 'terminal', false)).toBeNull()
    }
  })

  it('leave what programs need to the terminal, but let a person out of it', () => {
    expect(shortcutOf(press('k', { ctrlKey: true }), 'terminal', false)).toBeNull()
    expect(shortcutOf(press('z', { ctrlKey: true }), 'terminal', false)).toBeNull()
    expect(shortcutOf(press('Escape'), 'terminal', false)).toBeNull()
    expect(shortcutOf(press('F6'), 'terminal', false)).toBe('nextPane')
    expect(shortcutOf(press('k', { metaKey: true }), 'terminal', true)).toBe('palette')
  })

  it('are each there once', () => expect(new Set(Object.values(shortcuts)).size).toBe(Object.values(shortcuts).length))
})
