import { placeOfSession } from '../notices/leads-to.ts'
import type { App } from '../app-context.ts'
import { commandsOf, keysOf, type Command } from '../commands.ts'
import type { Words } from '../i18n/index.ts'
import type { IconName } from '../icons/icon.tsx'
import type { SessionShape } from '../../shared/words.ts'
import { textsOf } from '../sessions/list-items.ts'
import type { Said } from '../../shared/said.ts'
import type { SessionView } from '../../shared/state.ts'
import { emptyEngine } from '../state/engine.ts'
import { match, type Match, type MatchPart } from './palette-match.ts'

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

interface Found {
  score: number
  entry: PaletteEntry
}

/**
 * The palette's content: commands of the open session, of everywhere, then sessions by name. For a query the best hit
 * is the first entry, and its section with it.
 */
export function paletteSections(app: App, words: Words, query: string): PaletteSection[] {
  const { w, s } = words
  const { place } = app.ui.getState()
  const { here } = app
  const { sessions, machines } = here.engine.getState()
  const open =
    place.view === 'sessions' && place.selection?.kind === 'session'
      ? app.engine.getState().sessions.get(place.selection.id)
      : undefined
  const commands = commandsOf(app, words)
  const ofGroup = (group: Command['group']): Found[] =>
    commands
      .filter((c) => c.group === group)
      .flatMap((command) => {
        const found = match(command.name, query)
        if (!found) return []
        const { id, icon } = command
        const entry = { id, parts: found.parts, icon, keys: keysOf(command), run: () => command.run() }
        return [{ score: found.score, entry }]
      })
  const named = (): Found[] =>
    [
      ...Array.from(sessions.values(), (session) => ({ session, machine: null })),
      ...machines.flatMap(({ name: machine, sessions: there }) => there.map((session) => ({ session, machine }))),
    ]
      .filter(({ session }) => session.shape !== 'gone')
      .flatMap(({ session, machine }): Found[] => {
        const say = s.say(session.say, app.clock.now())
        const found =
          match(session.name, query) ?? inItsState(session.name, match(say, query)) ?? inItsTexts(session, query)
        if (!found) return []
        const run = () =>
          machine === null
            ? here.navigation.go(placeOfSession(session.id, here.engine.getState()))
            : here.there(machine).navigation.go(placeOfSession(session.id, emptyEngine))
        const { parts, score } = found
        const { shape } = session
        const detail = machine === null ? say : `${machine} · ${say}`
        return [
          { score, entry: { id: `session:${machine ?? ''}:${session.id}`, parts, icon: 'list', shape, detail, run } },
        ]
      })
  const sections = [
    { name: open?.name ?? '', found: open ? ofGroup('session') : [] },
    { name: w.palette.everywhere, found: ofGroup('everywhere') },
    { name: w.palette.sessions, found: query.trim() === '' ? [] : named().toSorted(better).slice(0, mostSessions) },
  ]
  return sections
    .filter(({ found }) => found.length > 0)
    .map(({ name, found }) => ({ name, found: found.toSorted(better) }))
    .toSorted((a, b) => (a.found[0] && b.found[0] ? better(a.found[0], b.found[0]) : 0))
    .map(({ name, found }) => ({ name, entries: found.map(({ entry }) => entry) }))
}

/** Where the words of a query were said: each leads to its session's timeline, which shows what says them. */
export function saidSection(app: App, { w, f }: Words, query: string, said: readonly Said[]): PaletteSection[] {
  const words = query.trim()
  const entries = said.flatMap(({ seq, at, session, excerpt }): PaletteEntry[] => {
    if (session === null) return []
    const run = () => {
      app.navigation.go({ view: 'sessions', selection: { kind: 'session', id: session.id, tab: 'timeline' } })
      app.ui.setState({ timelineQuery: words, timelineFilter: 'all' })
    }
    const detail = `${session.name} · ${f.minuteOfDay(at, app.clock.now())}`
    return [{ id: `said:${at}:${seq}`, parts: partsAround(excerpt, words), icon: 'search', detail, run }]
  })
  return entries.length === 0 ? [] : [{ name: w.palette.said, entries }]
}

function partsAround(text: string, words: string): MatchPart[] {
  const at = text.toLowerCase().indexOf(words.toLowerCase())
  if (at < 0) return [{ text, hit: false }]
  const end = at + words.length
  const parts = [text.slice(0, at), text.slice(at, end), text.slice(end)]
  return parts.map((part, i) => ({ text: part, hit: i === 1 })).filter((part) => part.text !== '')
}

/** Without a query all are alike, and stay as they are. */
const better = (a: Found, b: Found): number => b.score - a.score

/** A hit in the text of its state: worth less than one in any name. */
const inItsState = (name: string, said: Match | null): Match | null =>
  said && { parts: [{ text: name, hit: false }], score: said.score / 4 }

/** In a goal, a followup or an alarm as written: letters scattered over so much text are no hit. */
function inItsTexts(session: SessionView, query: string): Match | null {
  const words = query.toLowerCase().trim()
  const hit = textsOf(session).some((text) => text.toLowerCase().includes(words))
  return hit ? { parts: [{ text: session.name, hit: false }], score: 0.1 } : null
}
