/** The keyboard map of the design as data: keys and names. The same table serves keys, menus, palette and help. */
export const shortcuts = {
  palette: 'Ctrl K',
  sessions: 'Ctrl 1',
  alarms: 'Ctrl 2',
  activity: 'Ctrl 3',
  providers: 'Ctrl 4',
  settings: 'Ctrl 5',
  undo: 'Ctrl Z',
  findInTerminal: 'Ctrl Shift F',
  nextPane: 'F6',
  previousPane: 'Shift F6',
  rename: 'F2',
  back: 'Esc',
  timeline: '1',
  terminal: '2',
  queue: '3',
  alarmsTab: '4',
  details: '5',
  rounds: '6',
  drives: '7',
  nextNeedsYou: 'J',
  newTerminal: 'N',
  newAlarm: 'A',
  snooze: 'S',
  pauseSession: 'P',
  archive: 'E',
  pauseAll: 'Shift P',
  why: 'W',
  editGoal: 'G',
  addTen: '+',
  search: '/',
  reArm: 'R',
  help: '?',
} as const

export type ShortcutId = keyof typeof shortcuts

export interface KeyPress {
  key: string
  code: string
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
  altKey: boolean
}

/** The place of the focus: single letters work only outside of inputs and terminals. */
export type Focus = 'page' | 'input' | 'terminal'

/** The shortcuts that work everywhere. In a terminal Ctrl K, Ctrl Z and Esc belong to the program in it. */
const everywhere: ReadonlySet<ShortcutId> = new Set([
  'sessions',
  'alarms',
  'activity',
  'providers',
  'settings',
  'findInTerminal',
  'nextPane',
  'previousPane',
])
const inInputs: ReadonlySet<ShortcutId> = new Set([...everywhere, 'palette'])

export function shortcutOf(press: KeyPress, focus: Focus, mac: boolean): ShortcutId | null {
  for (const [id, keys] of Object.entries(shortcuts) as [ShortcutId, string][]) {
    // Object.entries forgets the key type
    if (!matches(keys, press, mac)) continue
    if (focus === 'terminal' && !(everywhere.has(id) || (mac && id === 'palette'))) return null
    if (focus === 'input' && !inInputs.has(id)) return null
    return id
  }
  return null
}

function matches(keys: string, press: KeyPress, mac: boolean): boolean {
  const parts = keys.split(' ')
  const name = parts.at(-1) ?? ''
  const wants = (modifier: string) => parts.slice(0, -1).includes(modifier)
  const command = mac ? press.metaKey : press.ctrlKey
  const other = mac ? press.ctrlKey : press.metaKey
  if (command !== wants('Ctrl') || other || press.altKey) return false
  // `+` and `?` need Shift on some keyboards and not on others: the character decides, not the key.
  if (name === '+' || name === '?' || name === '/') return press.key === name
  if (press.shiftKey !== wants('Shift')) return false
  if (name === 'Esc') return press.key === 'Escape'
  if (/^\d$/.test(name)) return press.code === `Digit${name}` || press.code === `Numpad${name}` || press.key === name
  return press.key.toLowerCase() === name.toLowerCase()
}

export const keyLabel = (keys: string, mac: boolean): string =>
  mac ? keys.replace('Ctrl', '⌘').replace('Shift', '⇧') : keys

/** The form `aria-keyshortcuts` asks for. */
export const ariaKeys = (id: ShortcutId, mac: boolean): string =>
  shortcuts[id]
    .replace('Ctrl', mac ? 'Meta' : 'Control')
    .replace('Esc', 'Escape')
    .replaceAll(' ', '+')
