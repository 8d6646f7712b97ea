/** The end of an Onward that was not asked to end. */
export interface CrashView {
  /** epoch milliseconds */
  at: number
  /** absolute, of the report */
  path: string
  /** plain text without keys and without texts of conversations */
  report: string
}
