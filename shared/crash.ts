/** Onward ended without being told to. */
export interface CrashView {
  /** epoch milliseconds */
  at: number
  /** absolute, of the report */
  path: string
  /** plain text without keys and without texts of conversations */
  report: string
}
