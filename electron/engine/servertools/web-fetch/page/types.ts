export interface PageAsk {
  html: string
  /** where it is from: relative links are relative to this */
  url: string
  format: 'text' | 'markdown'
  /** as many characters as will be shown; text after them need not be written */
  maxChars: number
}

export interface PageText {
  title: string | null
  text: string
  /** characters of the page that were not written, about */
  left: number
}

/**
 * The readable text of an HTML page.
 * @throws OnwardError `page-unreadable` for one that takes too long or too much memory | `aborted`
 */
export type ReadPage = (ask: PageAsk, signal: AbortSignal) => Promise<PageText>
