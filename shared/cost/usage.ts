export interface Usage {
  input: number
  cachedInput: number
  /** written to a prompt cache, within the input; absent: nothing, or the provider does not say */
  cacheWrite?: number
  /** of `cacheWrite`, the part kept for an hour, which costs more; absent: nothing, or the provider does not say */
  cacheWriteHour?: number
  output: number
  reasoning: number
}
