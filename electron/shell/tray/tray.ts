import { Menu, Tray, nativeImage, nativeTheme, type NativeImage } from 'electron'
import type { Disposable } from '../../engine/base/disposable.ts'
import { trayIconPath, type Panel } from './icons.ts'
import { trayMenu, type TrayAction } from './tray-menu.ts'
import type { TrayIcon, TrayView } from './tray-view.ts'

export interface TrayOptions {
  iconFolder: string
  act(action: TrayAction): void
  onMissing(error: unknown): void
  /** the menu opens; Linux does not say so */
  onOpen?(): void
}
export interface OnwardTray extends Disposable {
  show(view: TrayView): void
  /** whether login starts the app; null: it can't be switched */
  showAtLogin(on: boolean | null): void
}

/**
 * The icon in the system's tray; null where making one fails. That one was made does not say that a desktop shows it:
 * tray-presence.ts. Icon and menu are replaced only when they changed: on Linux a replaced menu closes under the
 * person's hand.
 */
export function createTray(options: TrayOptions): OnwardTray | null {
  let view: TrayView | null = null
  let atLogin: boolean | null = null
  let shownIcon = ''
  let shownMenu = ''
  /** Answers of the system may come after the end, and a destroyed tray throws. */
  let over = false
  const image = (icon: TrayIcon): NativeImage => {
    const picture = nativeImage.createFromPath(trayIconPath(options.iconFolder, icon, panel()))
    if (process.platform === 'darwin') picture.setTemplateImage(true)
    return picture
  }
  const tray = make(() => new Tray(image('idle')), options.onMissing)
  if (!tray) return null

  const draw = () => {
    if (!view || over) return
    const iconKey = `${view.icon}:${panel().dark}`
    if (iconKey !== shownIcon) tray.setImage(image(view.icon))
    shownIcon = iconKey
    const menuKey = JSON.stringify([view, atLogin])
    if (menuKey !== shownMenu) {
      const menu = Menu.buildFromTemplate(trayMenu(view, options.act, atLogin))
      menu.on('menu-will-show', () => options.onOpen?.())
      tray.setContextMenu(menu)
      tray.setToolTip(view.tooltip)
    }
    shownMenu = menuKey
  }
  // On macOS a click opens the menu, and would open the window under it as well.
  if (process.platform !== 'darwin') tray.on('click', () => options.act({ kind: 'open', place: null }))
  nativeTheme.on('updated', draw)
  return {
    show(next) {
      view = next
      draw()
    },
    showAtLogin(on) {
      atLogin = on
      draw()
    },
    dispose() {
      over = true
      nativeTheme.off('updated', draw)
      tray.destroy()
    },
  }
}

const panel = (): Panel => ({
  platform: process.platform,
  dark:
    process.platform === 'win32'
      ? nativeTheme.shouldUseDarkColorsForSystemIntegratedUI
      : nativeTheme.shouldUseDarkColors,
  desktop: process.env.XDG_CURRENT_DESKTOP ?? '',
})

function make<T>(create: () => T, onFailure: (error: unknown) => void): T | null {
  try {
    return create()
  } catch (error) {
    onFailure(error)
    return null
  }
}
