/** F6 and Shift F6: the keyboard goes from pane to pane, also out of a terminal. Panes are marked with `data-pane-stop`. */
export function movePane(step: 1 | -1, doc: Document = document): void {
  const stops = [...doc.querySelectorAll<HTMLElement>('[data-pane-stop]')].filter((el) => el.checkVisibility({ visibilityProperty: true }))
  if (stops.length === 0) return
  const at = stops.findIndex((el) => el.contains(doc.activeElement))
  const next = stops[(at + step + stops.length) % stops.length]
  const target = next?.matches('[tabindex], textarea, input, button') ? next : next?.querySelector<HTMLElement>('textarea, [tabindex="0"], button, a[href]')
  target?.focus()
}
