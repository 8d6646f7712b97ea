import { describe, expect, it } from 'vitest'
import type { MenuItemConstructorOptions } from 'electron'
import { languages } from '../../shared/words.ts'
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
    const entries = entriesOf(appMenu({ platform, language, settings: () => did.push('settings') }))
    expect(entries.map((entry) => entry.role)).toEqual(
      expect.arrayContaining(['quit', 'editMenu', 'viewMenu', 'windowMenu']),
    )
    const settings = entries.find((entry) => entry.accelerator === 'CommandOrControl+,')
    settings?.click?.call(settings, {} as never, undefined, {} as never)
    expect(did).toEqual(['settings'])
  })
})
