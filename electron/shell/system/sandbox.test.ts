import { describe, expect, it } from 'vitest'
import type { App } from 'electron'
import { sandboxPages } from './sandbox.ts'

function appWith(...switches: readonly string[]) {
  let enabled = 0
  const app = {
    enableSandbox: () => (enabled += 1),
    commandLine: { hasSwitch: (name: string) => switches.includes(name) },
  }
  // Electron's command line has more than is asked of it
  return { app: app as unknown as Pick<App, 'enableSandbox' | 'commandLine'>, enabled: () => enabled }
}

describe('the sandbox of all pages', () => {
  it('is on', () => {
    const { app, enabled } = appWith('hidden')
    expect(sandboxPages(app)).toBe(true)
    expect(enabled()).toBe(1)
  })

  it('is off only where the person says so', () => {
    const { app, enabled } = appWith('no-sandbox')
    expect(sandboxPages(app)).toBe(false)
    expect(enabled()).toBe(0)
  })
})
