/** How wide the list of sessions may be, in pixels. The detail beside it keeps room for its content. */
export const listWidths = { least: 280, usual: 376, most: 640, detail: 508 } as const

export function widthWithin(wanted: number, windowWidth: number): number {
  const most = Math.max(listWidths.least, Math.min(listWidths.most, windowWidth - listWidths.detail))
  return Math.round(Math.min(most, Math.max(listWidths.least, wanted)))
}

/** As CSS, because the window may become narrower than it was when the width was chosen. */
export const widthInCss = (width: number): string =>
  `max(${listWidths.least}px, min(${width}px, 100vw - ${listWidths.detail}px))`
