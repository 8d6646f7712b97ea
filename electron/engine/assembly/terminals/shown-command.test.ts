import { describe, expect, it } from 'vitest'
import type { EngineHost } from '../../host.ts'
import { shownCommand } from './shown-command.ts'

const host = (loginPath: () => Promise<string | null>): EngineHost =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a host, it asks for these alone
  ({
    env: { PATH: '/engine' },
    command: (path: string | null) => (path === null ? 'node /repo/bin/onward.mjs' : `onward of ${path}`),
    loginPath,
  }) as unknown as EngineHost

/** a promise, and what settles it */
function awaited(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

describe('the command that is shown', () => {
  it('works without a PATH at once, and is the short one as soon as the login shell was heard', async () => {
    const asked: string[] = []
    const found = awaited()
    const shown = shownCommand(
      host(async () => {
        asked.push('asked')
        return '/login'
      }),
      found.resolve,
    )
    expect(asked).toEqual([])
    expect(shown()).toBe('node /repo/bin/onward.mjs')
    await found.promise
    expect(shown()).toBe('onward of /login')
    expect(asked).toEqual(['asked'])
  })

  it('takes the engine’s own PATH where there is no login shell', async () => {
    const found = awaited()
    const shown = shownCommand(
      host(async () => null),
      found.resolve,
    )
    shown()
    await found.promise
    expect(shown()).toBe('onward of /engine')
  })
})
