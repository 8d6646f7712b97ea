/**
 * Keeps address and place the same: back and forward work, links can be shared between windows, the token never stays.
 */
import { pathOf, placeOf, readFragment, type Place, type Selection } from './place.ts'
import type { UiStore } from './ui.ts'

export interface Navigation {
  go(place: Place): void
  /**
   * The page chose a place by itself: back must not lead there. Nothing happens where the person has gone elsewhere
   * since.
   * @param shown whether the place it chose for is the one still shown: an effect runs after the next click as well
   */
  replace(place: Place, shown: (now: Place) => boolean): void
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
  const go = (place: Place, how: 'pushState' | 'replaceState') => {
    const hash = `#${pathOf(place)}`
    // a line that is asked for again is shown again
    if (win.location.hash === hash) return 'line' in place ? ui.setState({ place }) : undefined
    win.history[how](null, '', hash)
    ui.setState({ place, activeRow: null, editingEntry: null, ...closed, ...remembered(place) })
  }
  win.addEventListener('hashchange', read)
  read()
  return {
    go: (place) => go(place, 'pushState'),
    replace(place, shown) {
      const now = ui.getState().place
      // The browser has followed a link before it says so: an address that was not read yet is where the person goes.
      if (win.location.hash === `#${pathOf(now)}` && shown(now)) go(place, 'replaceState')
    },
    dispose() {
      win.removeEventListener('hashchange', read)
    },
  }
}

/** Closes the parts that belong to the place that is left. */
const closed = { alarmForm: null, missedOpen: false }

const remembered = (place: Place): { lastSelection?: Selection } =>
  place.view === 'sessions' && place.selection ? { lastSelection: place.selection } : {}
