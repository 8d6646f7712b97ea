/** Desktop Application Autostart Specification: an entry in `~/.config/autostart`. Electron has nothing for it. */
import { dirname, isAbsolute, join } from 'node:path'
import type { LoginState } from '../../../shared/commands/shell-calls.ts'
import { notOurs } from '../errors.ts'
import type { InstalledSystem, LoginItem } from '../types.ts'
import { entryKeys, isFalse, isTrue } from './entry-keys.ts'

/** Programs that change entries keep keys they don't know; a checksum would not outlive them. */
const ours = 'X-Onward'
const madeFolder = 'X-Onward-Made'

export function xdgAutostart(system: InstalledSystem, argv: readonly string[]): LoginItem & { file: string } {
  const { XDG_CONFIG_HOME = '', HOME = '/' } = system.env
  // A path that is not absolute has to be ignored (XDG Base Directory Specification).
  const file = join(isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(HOME, '.config'), 'autostart/onward.desktop')
  const keys = async () => {
    const bytes = await system.read(file)
    return bytes === null ? null : entryKeys(bytes.toString())
  }
  return {
    file,
    read: async () => stateOf(await keys(), argv, file),
    async set(on) {
      const there = await keys()
      if (there && !there.has(ours)) throw notOurs(file)
      if (on) {
        const write = (made: string | null) => system.write(file, Buffer.from(textOf(argv, made)))
        const before = there?.get(madeFolder) ?? null
        const made = await write(before)
        if (made !== null && before === null) await write(made)
      } else if (there) {
        await system.remove(file)
        const made = there.get(madeFolder)
        if (made !== undefined && isAbsolute(made)) await system.removeFolders(dirname(file), made)
      }
    },
  }
}

function stateOf(keys: ReadonlyMap<string, string> | null, argv: readonly string[], file: string): LoginState {
  if (!keys) return { kind: 'off' }
  if (!keys.has(ours)) return { kind: 'impossible', why: 'foreign-file', path: file }
  if (isTrue(keys.get('Hidden')) || isFalse(keys.get('X-GNOME-Autostart-enabled'))) return { kind: 'off' }
  return keys.get('Exec') === execLine(argv) ? { kind: 'on' } : { kind: 'other', command: keys.get('Exec') ?? '' }
}

const textOf = (argv: readonly string[], made: string | null): string => `[Desktop Entry]
Type=Application
Version=1.0
Name=Onward
Comment=Keeps coding agents going
Exec=${execLine(argv)}
TryExec=${entryText(argv[0] ?? '')}
Icon=onward-desktop
Terminal=false
StartupNotify=false
X-GNOME-Autostart-enabled=true
${ours}=true
${made === null ? '' : `${madeFolder}=${made}\n`}`

/**
 * `Exec` of a desktop entry (Desktop Entry Specification, "The Exec key"): one string, quoted once and escaped twice.
 */
const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')

/** A `%` begins a field code, within quotes as well. */
const quoted = (word: string): string => `"${word.replace(/[\\"`$]/g, '\\$&').replaceAll('%', '%%')}"`

/** GLib looks for the program itself by the name as it stands there, where a `%` is still two. */
const execLine = (argv: readonly string[]): string =>
  escaped([...(argv[0]?.includes('%') ? ['/usr/bin/env'] : []), ...argv].map(quoted).join(' '))

/** A value that is one text. */
const entryText = escaped
