import { Menu, Tray, nativeImage, nativeTheme } from 'electron'
import type { Disposable } from '../engine/base/disposable.ts'
import { trayIconPath } from './icons.ts'
import { trayMenu, type TrayAction } from './tray-menu.ts'
import type { TrayView } from './tray-view.ts'

export interface OnwardTray extends Disposable { show(view: TrayView): void }

/**
 * The icon in the system's tray; null where the desktop has none (then the window stays).
 * Icon and menu are only replaced when they changed: on Linux a replaced menu closes under the person's hand.
 */
export function createTray(options: { iconFolder: string; act(action: TrayAction): void; onClick(): void; onMissing(error: unknown): void }): OnwardTray | null {
  let view: TrayView | null = null
  let shownIcon = ''
  let shownMenu = ''
  let tray: Tray
  const image = (icon: TrayView['icon']) => {
    const picture = nativeImage.createFromPath(trayIconPath(options.iconFolder, icon, process.platform, nativeTheme.shouldUseDarkColors))
    if (process.platform === 'darwin') picture.setTemplateImage(true)
    return picture
  }
  try {
    tray = new Tray(image('idle'))
  } catch (error) {
    options.onMissing(error)
    return null
  }
  const draw = () => {
    if (!view) return
    const iconKey = `${view.icon}:${nativeTheme.shouldUseDarkColors}`
    if (iconKey !== shownIcon) { tray.setImage(image(view.icon)); shownIcon = iconKey }
    const menu = trayMenu(view, options.act)
    const menuKey = JSON.stringify(menu)
    if (menuKey !== shownMenu) { tray.setContextMenu(Menu.buildFromTemplate(menu)); shownMenu = menuKey }
    tray.setToolTip(view.tooltip)
  }
  tray.on('click', options.onClick)
  nativeTheme.on('updated', draw)
  return {
    show(next) { view = next; draw() },
    dispose() { nativeTheme.off('updated', draw); tray.destroy() },
  }
}
