export interface Usage {
  input: number
  cachedInput: number
  /** written to a prompt cache, within the input; absent: nothing, or nobody said */
  cacheWrite?: number
  /** of `cacheWrite`, what is kept for an hour and costs more; absent: nothing, or nobody said */
  cacheWriteHour?: number
  output: number
  reasoning: number
}
