/** The end of the engine's log, and the lines added since. */
export interface LogPage {
  path: string
  /** one JSON object each, without secrets; a line that is still being written is not among them */
  lines: readonly string[]
  /** where the next page begins */
  cursor: string
  /** there is more between the page before and this one, or before the first: it was left out */
  gap: boolean
}
