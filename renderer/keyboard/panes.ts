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
