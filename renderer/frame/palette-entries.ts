import type { App } from '../app-context.ts'
import { commandsOf, keysOf, type Command } from '../commands.ts'
import type { Words } from '../i18n/index.ts'
import type { IconName } from '../icons/icon.tsx'
import type { SessionShape } from '../../shared/words.ts'
import { match, type MatchPart } from './palette-match.ts'

export interface PaletteEntry {
  id: string
  parts: readonly MatchPart[]
  icon: IconName
  shape?: SessionShape
  detail?: string
  keys?: string
  run(): void
}
export interface PaletteSection {
  name: string
  entries: readonly PaletteEntry[]
}

const mostSessions = 8

/** What the palette shows for a query: commands of the open session, of everywhere, then sessions by name. */
export function paletteSections(app: App, words: Words, query: string): PaletteSection[] {
  const { w, s } = words
  const { place } = app.ui.getState()
  const { sessions } = app.engine.getState()
  const open =
    place.view === 'sessions' && place.selection?.kind === 'session' ? sessions.get(place.selection.id) : undefined
  const commands = commandsOf(app, words)
  const ofGroup = (group: Command['group']): PaletteEntry[] =>
    commands
      .filter((c) => c.group === group)
      .flatMap((command) => {
        const parts = match(command.name, query)
        return parts
          ? [{ id: command.id, parts, icon: command.icon, keys: keysOf(command), run: () => command.run() }]
          : []
      })
  const named =
    query.trim() === ''
      ? []
      : [...sessions.values()]
          .filter((v) => v.shape !== 'gone')
          .flatMap((session): PaletteEntry[] => {
            const say = s.say(session.say, app.clock.now())
            const parts =
              match(session.name, query) ?? (match(say, query) ? [{ text: session.name, hit: false }] : null)
            if (!parts) return []
            return [
              {
                id: `session:${session.id}`,
                parts,
                icon: 'list',
                shape: session.shape,
                detail: say,
                run: () =>
                  app.navigation.go({
                    view: 'sessions',
                    selection: { kind: 'session', id: session.id, tab: 'timeline' },
                  }),
              },
            ]
          })
          .slice(0, mostSessions)
  return [
    { name: open?.name ?? '', entries: open ? ofGroup('session') : [] },
    { name: w.palette.everywhere, entries: ofGroup('everywhere') },
    { name: w.palette.sessions, entries: named },
  ].filter((section) => section.entries.length > 0)
}
