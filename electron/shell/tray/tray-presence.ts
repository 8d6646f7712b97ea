import { pause, type Clock } from '../../engine/base/clock.ts'
import { messageOf } from '../../engine/base/errors.ts'
import type { Log } from '../../engine/base/log.ts'
import type { TrayState } from '../../../shared/commands/shell-calls.ts'
import { sessionBusAddress } from '../notifications/bus-address.ts'
import { nameHasOwner } from '../notifications/dbus.ts'

/**
 * Electron makes a Tray on every Linux and does not say whether it is shown; the program that shows it owns this name.
 */
const watcher = 'org.kde.StatusNotifierWatcher'

export interface TrayPresenceDeps {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  uid: number
  log: Log
}

/**
 * True if a person can see the icon right now. Asked each time, because a panel may start after us. `ONWARD_TRAY=1` or
 * `0` answers for desktops that can't be asked (an old XEmbed panel).
 */
export async function isTrayShown({ platform, env, uid, log }: TrayPresenceDeps): Promise<boolean> {
  if (env.ONWARD_TRAY === '1' || env.ONWARD_TRAY === '0') return env.ONWARD_TRAY === '1'
  if (platform !== 'linux') return true
  try {
    return await nameHasOwner(sessionBusAddress(env, uid), watcher)
  } catch (error) {
    log.info({ error: messageOf(error) }, 'no session bus to ask for a tray; taken as none')
    return false
  }
}

/** GNOME has nowhere to show one without an extension, and no setting says so. */
export function trayState(shown: boolean, env: TrayPresenceDeps['env']): TrayState {
  if (shown) return 'shown'
  const desktops = (env.XDG_CURRENT_DESKTOP ?? '').toLowerCase().split(':')
  return desktops.includes('gnome') ? 'none-on-gnome' : 'none'
}

/** A panel may start after us at login. */
export const trayWithinMs = 15_000
const pollMs = 1_000

/** false: there is none after a while; after a hidden start a person could not find the app. */
export async function waitForTray(clock: Clock, isShown: () => Promise<boolean>): Promise<boolean> {
  for (let waited = 0; waited < trayWithinMs; waited += pollMs) {
    if (await isShown()) return true
    await pause(clock, pollMs)
  }
  return false
}
