/** Which rows of the settings a search leaves, told in attributes: the rows themselves know nothing of it. */

/** What can be left out by itself; more of a section goes with the section. */
const rowsOf =
  '.setting, .set-row, .budget, .notice-classes > li, .tool, .kv > div, .quiet-hours, .local-key, .outside-place, ' +
  '.by-command, section > .switch'

const miss = 'data-miss'

/** @returns how many sections are left */
export function findSettings(sections: Iterable<HTMLElement>, query: string): number {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (text: string | null) => words.every((word) => (text ?? '').toLowerCase().includes(word))
  let left = 0
  for (const section of sections) {
    const whole = fits(section.getAttribute('aria-label'))
    let any = whole
    for (const row of section.querySelectorAll(rowsOf)) {
      const shown = whole || fits(row.textContent)
      row.toggleAttribute(miss, !shown)
      any ||= shown
    }
    for (const more of section.querySelectorAll('details'))
      if (!whole && more.querySelector(`.setting:not([${miss}])`)) more.open = true
    section.toggleAttribute(miss, !any)
    if (any) left += 1
  }
  return left
}
