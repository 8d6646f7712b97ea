import { messageOf } from '../../engine/base/errors.ts'
import type { CommandItem, LoginItem } from '../../installed/types.ts'
import type { Installation, InstallationChange, TrayState } from '../../../shared/commands/shell-calls.ts'

export interface InstallationSeat {
  /** as the system says now */
  read(): Promise<Installation>
  setLogin(on: boolean): Promise<InstallationChange>
  setCommand(on: boolean): Promise<InstallationChange>
}

/** Parts of the app that a person can switch on this machine; each answer is read back from the system. */
export function createInstallation(
  { login, command, tray }: { login: LoginItem; command: CommandItem; tray(): Promise<TrayState> },
  onRead: (now: Installation) => void,
): InstallationSeat {
  const read = async (): Promise<Installation> => {
    const now = { tray: await tray(), login: await login.read(), command: await command.read() }
    onRead(now)
    return now
  }
  const change = async (doing: () => Promise<void>): Promise<InstallationChange> => {
    const trouble = await doing().then(() => null, messageOf)
    return { now: await read(), trouble }
  }
  return {
    read,
    setLogin: (on) => change(() => login.set(on)),
    setCommand: (on) => change(() => (on ? command.install() : command.remove())),
  }
}
