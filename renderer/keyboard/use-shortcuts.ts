import { useEffect } from 'react'
import { useWords, type App } from '../app-context.ts'
import { commandsOf } from '../commands.ts'
import type { Tab } from '../state/place.ts'
import { toggled } from '../state/ui.ts'
import { type Focus, type ShortcutId, shortcutOf } from './shortcuts.ts'
import { isWide } from '../sessions/use-wide.ts'
import { focusIsNowhere, focusTerminal } from '../terminals/terminal-focus.ts'

/** One listener for the whole keyboard map. Dialogs and menus keep their own keys to themselves. */
/** @param app of the engine that the present place is about */
export function useShortcuts(app: App): void {
  const words = useWords()
  useEffect(() => {
    const { ui, navigation, mac } = app
    const tab = (name: Tab) => {
      const { place } = ui.getState()
      if (place.view === 'sessions' && place.selection?.kind === 'session')
        navigation.go({ view: 'sessions', selection: { ...place.selection, tab: name } })
    }
    const command = (id: ShortcutId): boolean => {
      const found = commandsOf(app, words).find((c) => c.shortcut === id)
      found?.run()
      return found !== undefined
    }
    const back = () => {
      const { query, place, record, routingOpen, missedOpen } = ui.getState()
      if (query !== null) ui.setState({ query: null })
      else if (record !== null) ui.setState({ record: null })
      else if (place.view === 'providers' && routingOpen) ui.setState({ routingOpen: false })
      else if (place.view === 'alarms' && missedOpen) ui.setState({ missedOpen: false })
      // Side by side there is nothing to go back to.
      else if (place.view === 'sessions' && place.selection && !isWide()) {
        navigation.go({ view: 'sessions', selection: null })
        requestAnimationFrame(() => document.getElementById('session-list')?.focus())
      }
    }
    const why = () => {
      const key = whyUnderKeyboard(ui.getState().activeRow)
      if (key !== null) ui.setState((s) => ({ openWhys: toggled(s.openWhys, key) }))
    }
    const run = (id: ShortcutId): boolean => {
      switch (id) {
        case 'palette':
          ui.setState({ dialog: { kind: 'palette' } })
          return true
        case 'back':
          back()
          return true
        case 'undo':
          app.actions.undo()
          return true
        case 'terminal':
          tab(id)
          focusTerminal()
          return true
        case 'timeline':
        case 'queue':
        case 'details':
        case 'rounds':
        case 'drives':
          tab(id)
          return true
        case 'alarmsTab':
          tab('alarms')
          return true
        case 'why':
          why()
          return true
        case 'nextPane':
          movePane(1)
          return true
        case 'previousPane':
          movePane(-1)
          return true
        case 'findInTerminal':
          ui.setState({ findInTerminal: true })
          return true
        default:
          return command(id)
      }
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      // A dialog has the keyboard from the moment it is asked for, a menu while it is there.
      const { dialog } = ui.getState()
      const letter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
      if (dialog?.kind === 'palette' && letter && !document.querySelector('.pal'))
        ui.setState({ dialog: { kind: 'palette', typed: (dialog.typed ?? '') + event.key } })
      if (dialog !== null || document.querySelector('[role="menu"]')) return
      const id = shortcutOf(event, focusOf(event.target), mac)
      if (id !== null && run(id)) event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [app, words])
}

function focusOf(target: EventTarget | null): Focus {
  if (!(target instanceof HTMLElement)) return 'page'
  if (target.closest('.term')) return 'terminal'
  // A person who types with a terminal before their eyes types for it, and not for the page.
  if (focusIsNowhere() && document.querySelector('.term')) return 'input'
  return target.matches('input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable="true"]')
    ? 'input'
    : 'page'
}

const focusable = 'textarea:not(:disabled), input:not(:disabled), [tabindex="0"], button:not(:disabled), a[href]'
const seen = (el: HTMLElement): boolean => el.checkVisibility({ visibilityProperty: true })

/**
 * F6 and Shift F6: the keyboard goes from pane to pane, also out of a terminal. Panes are marked with `data-pane-stop`
 * and may lie in each other.
 */
export function movePane(step: 1 | -1, doc: Document = document): void {
  const stops = [...doc.querySelectorAll<HTMLElement>('[data-pane-stop]')].filter(seen)
  const at = stops.findLastIndex((el) => el.contains(doc.activeElement))
  for (let i = 1; i <= stops.length; i++) {
    const next = stops[(at + step * i + stops.length * 2) % stops.length]
    const target = next?.matches(focusable)
      ? next
      : [...(next?.querySelectorAll<HTMLElement>(focusable) ?? [])].find(seen)
    if (!target || target.contains(doc.activeElement)) continue
    target.focus()
    return
  }
}

/** The event whose “Why” the W key means: the one under the keyboard, else the topmost on the screen that has one. */
function whyUnderKeyboard(activeRow: string | null, doc: Document = document): string | null {
  const buttons = [...doc.querySelectorAll<HTMLElement>('[data-why]')]
  const chosen = buttons.find((button) => button.dataset.why === activeRow) ?? buttons[0]
  return chosen?.dataset.why ?? null
}
