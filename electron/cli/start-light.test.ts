import { describe, expect, it } from 'vitest'
import { packagesFrom } from '../testing/loaded-at-once.ts'

describe('the start of a command', () => {
  it('loads commander and no other package', () => {
    const { commander: _, ...others } = Object.fromEntries(packagesFrom('electron/cli/onward.ts'))
    expect(others).toEqual({})
  })
  it('is told apart from what a command loads: the engine has its validators', () => {
    expect(packagesFrom('electron/engine/engine.ts').has('zod')).toBe(true)
  })
})

describe('the start of the engine', () => {
  const packages = packagesFrom('electron/engine/engine.ts')
  it.each(['@xterm/headless', '@xterm/addon-serialize', 'chrono-node/en', 'gpt-tokenizer'])(
    'leaves %s to what needs it',
    (name) => {
      expect(packages.get(name)).toBeUndefined()
    },
  )
})

describe('the start of the desktop app', () => {
  it('loads no package before compiled code is kept, not even Electron', () => {
    expect(Object.fromEntries(packagesFrom('electron/main.ts'))).toEqual({})
  })
  it('is told apart from what it loads then', () => {
    expect(packagesFrom('electron/hosts/desktop-app.ts').has('electron')).toBe(true)
  })
})
