import { describe, expect, it } from 'vitest'
import type { MenuItemConstructorOptions } from 'electron'
import { languages } from '../../../shared/words.ts'
import { appMenu } from './app-menu.ts'

const entriesOf = (items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? entriesOf(item.submenu) : [])])

describe('the app’s own menu', () => {
  it.each(
    (['linux', 'win32', 'darwin'] as const).flatMap((platform) =>
      languages.map((language) => [platform, language] as const),
    ),
  )('on %s in %s quits, copies, zooms and leads to the settings', (platform, language) => {
    const did: string[] = []
    const entries = entriesOf(
      appMenu({
        platform,
        language,
        settings: () => did.push('settings'),
        command: null,
        uninstall: () => did.push('uninstall'),
      }),
    )
    expect(entries.map((entry) => entry.role)).toEqual(
      expect.arrayContaining(['quit', 'editMenu', 'viewMenu', 'windowMenu']),
    )
    const settings = entries.find((entry) => entry.accelerator === 'CommandOrControl+,')
    settings?.click?.call(settings, {} as never, undefined, {} as never)
    expect(did).toEqual(['settings'])
  })

  it.each([
    [null, []],
    [false, ['Install the command']],
    [true, ['Remove the command']],
  ])('offers the command when installed is %j, and the way out', (installed, labels) => {
    const did: unknown[] = []
    const command = installed === null ? null : { installed, set: (on: boolean) => did.push(on) }
    const entries = entriesOf(
      appMenu({ platform: 'darwin', language: 'en', settings() {}, command, uninstall: () => did.push('uninstall') }),
    )
    const found = entries.filter(({ label = '' }) => /command|Uninstall/.test(label))
    expect(found.map(({ label }) => label)).toEqual([...labels, 'Uninstall…'])
    for (const entry of found) entry.click?.call(entry, {} as never, undefined, {} as never)
    expect(did).toEqual([...(installed === null ? [] : [!installed]), 'uninstall'])
  })
})
