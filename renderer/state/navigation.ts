/**
 * Keeps address and place the same: back and forward work, links can be shared between windows, the token never stays.
 */
import { pathOf, placeOf, readFragment, type Place, type Selection } from './place.ts'
import type { UiStore } from './ui.ts'

export interface Navigation {
  /** `replace`: the page chose by itself, back must not lead there */
  go(place: Place, how?: 'push' | 'replace'): void
  dispose(): void
}

type Win = Pick<Window, 'location' | 'history' | 'addEventListener' | 'removeEventListener'>

/** @param onToken a host opened the page anew at a place, with its token beside it */
export function createNavigation(win: Win, ui: UiStore, onToken: (token: string) => void): Navigation {
  const read = () => {
    const fragment = readFragment(win.location.hash)
    if (fragment.token) onToken(fragment.token)
    const place = placeOf(fragment.path)
    if (win.location.hash !== `#${pathOf(place)}`) win.history.replaceState(null, '', `#${pathOf(place)}`)
    ui.setState({
      place,
      activeRow: null,
      ...closed,
      ...remembered(place),
      ...(fragment.newTerminal ? { dialog: { kind: 'new-terminal' } } : {}),
    })
  }
  win.addEventListener('hashchange', read)
  read()
  return {
    go(place, how = 'push') {
      const hash = `#${pathOf(place)}`
      // a line that is asked for again is shown again
      if (win.location.hash === hash) return 'line' in place ? ui.setState({ place }) : undefined
      if (how === 'push') win.history.pushState(null, '', hash)
      else win.history.replaceState(null, '', hash)
      ui.setState({ place, activeRow: null, editingEntry: null, ...closed, ...remembered(place) })
    },
    dispose() {
      win.removeEventListener('hashchange', read)
    },
  }
}

/** What belongs to the place that is left. */
const closed = { alarmForm: null, missedOpen: false }

const remembered = (place: Place): { lastSelection?: Selection } =>
  place.view === 'sessions' && place.selection ? { lastSelection: place.selection } : {}
