/** All that Onward set up outside its home, one after the other as it is taken back: agents first. */
import { findService, isInTheWay, isOurs } from '../../cli/service/found.ts'
import { managerOf } from '../../cli/service/manager.ts'
import { serviceName } from '../../cli/service/service-name.ts'
import type { ServiceSpec } from '../../cli/service/types.ts'
import { uninstallService } from '../../cli/service/uninstall.ts'
import { messageOf } from '../../engine/base/errors.ts'
import type { AgentSetups } from '../../engine/discovery/setup/agent-setups.ts'
import { commandOf } from '../command/command.ts'
import { xdgAutostart } from '../login/xdg-autostart.ts'
import type { Install } from '../install.ts'
import type { InstalledSystem, LoginItem } from '../types.ts'
import type { LeftAlone, Undo, UndoPlan } from './types.ts'

export interface UndoDeps {
  system: InstalledSystem
  /** Onward's */
  home: string
  /** the default home: login and command belong to it */
  usualHome: string
  install: Install
  setups: Pick<AgentSetups, 'list' | 'undo'>
}

export async function planUndo(deps: UndoDeps): Promise<UndoPlan> {
  const parts = [await agents(deps), await service(deps)]
  if (deps.home === deps.usualHome) parts.push(await login(deps), await command(deps))
  return { undoes: parts.flatMap(({ undoes }) => undoes), leaves: parts.flatMap(({ leaves }) => leaves) }
}

const nothing: UndoPlan = { undoes: [], leaves: [] }
const one = (undo: Undo): UndoPlan => ({ undoes: [undo], leaves: [] })
const left = (alone: LeftAlone): UndoPlan => ({ undoes: [], leaves: [alone] })

async function agents({ setups }: UndoDeps): Promise<UndoPlan> {
  const undoes: Undo[] = []
  const leaves: LeftAlone[] = []
  for (const setup of await setups.list()) {
    if (setup.kind !== 'set-up') continue
    const { client, files, backups, changed } = setup
    if (changed.length > 0) leaves.push({ kind: 'agent', client, files: changed, backups })
    else undoes.push({ kind: 'agent', client, files, undo: () => setups.undo(client) })
  }
  return { undoes, leaves }
}

async function service({ system, home, usualHome }: UndoDeps): Promise<UndoPlan> {
  if (!['linux', 'darwin', 'win32'].includes(system.platform)) return nothing
  const manager = managerOf(system)
  // The program it starts does not matter for its removal.
  const spec: ServiceSpec = {
    name: serviceName(home, usualHome),
    home,
    version: '',
    argv: [''],
    env: {},
    listens: null,
  }
  const there = (await findService(spec, manager, system)).filter(isOurs)
  const [first] = there
  if (!first) return nothing
  const changed = there.find(isInTheWay)
  if (changed) return left({ kind: 'service', file: changed.path })
  const file = first.path
  return one({ kind: 'service', title: manager.title, file, undo: () => uninstallService(spec, { manager, system }) })
}

async function login({ system, install }: UndoDeps): Promise<UndoPlan> {
  switch (system.platform) {
    case 'linux': {
      const item = xdgAutostart(system, [])
      const there = await system.read(item.file)
      if (there === null || (await item.read()).kind === 'impossible') return nothing
      return one({ kind: 'login', where: item.file, undo: () => item.set(false) })
    }
    case 'win32': {
      const item = windowsRunKey(system)
      if ((await item.read()).kind === 'off') return nothing
      return one({ kind: 'login', where: item.where, undo: item.remove })
    }
    default:
      return install.kind === 'mac' ? left({ kind: 'login' }) : nothing
  }
}

async function command({ system, install, home }: UndoDeps): Promise<UndoPlan> {
  const item = commandOf(install, system, home)
  const state = await item.read()
  return state.kind === 'installed' ? one({ kind: 'command', path: state.path, undo: item.remove }) : nothing
}

/** One that fails keeps none of the others from it. @returns what was not undone, and why */
export async function runUndo(
  undoes: readonly Undo[],
  onDone: (undo: Undo) => void = () => undefined,
): Promise<readonly { undo: Undo; why: string }[]> {
  const failed: { undo: Undo; why: string }[] = []
  for (const undo of undoes) {
    try {
      await undo.undo()
      onDone(undo)
    } catch (error) {
      failed.push({ undo, why: messageOf(error) })
    }
  }
  return failed
}

const key = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run'
/** Electron names its value after the app's id. */
const value = 'dev.onward.desktop'

/** The app's setting for login, as a program beside the app can see it and take it away. */
function windowsRunKey(system: InstalledSystem): Pick<LoginItem, 'read'> & { where: string; remove(): Promise<void> } {
  return {
    where: `${key}\\${value}`,
    async read() {
      const { code } = await system.run(['reg', 'query', key, '/v', value])
      return { kind: code === 0 ? 'on' : 'off' }
    },
    async remove() {
      const { code, err } = await system.run(['reg', 'delete', key, '/v', value, '/f'])
      if (code !== 0) throw new Error(`The entry of ${value} in ${key} could not be removed: ${err.trim()}`)
    },
  }
}
