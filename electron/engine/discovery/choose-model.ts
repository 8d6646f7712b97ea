/** Families by which vendors name what they sell for coding, best first; of one family the highest version counts. */
const families = [
  /^(?:anthropic\/)?claude-sonnet-/,
  /^(?:anthropic\/)?claude-opus-/,
  /^(?:openai\/)?gpt-[\d.]+-codex$/,
  /^(?:openai\/)?gpt-[\d.]+$/,
  /^(?:z-ai\/)?glm-[\d.]+$/,
  /^(?:moonshotai\/)?kimi-k[\d.]+/,
  /^(?:qwen\/)?qwen[\d.]*-coder-plus/,
  /^(?:qwen\/)?qwen[\d.]*-coder/,
  /^(?:google\/)?gemini-[\d.]+-pro$/,
  /^(?:deepseek\/)?deepseek-(?:chat|v[\d.]+)$/,
  /^(?:minimax\/)?minimax-m[\d.]+$/i,
] as const

/** A model that suits an agent, of those a provider lists; null: none is known to, so none is chosen for a person. */
export function chooseModel(models: readonly string[]): string | null {
  if (models.length === 1) return models[0] ?? null
  for (const family of families) {
    const [best] = models.filter((model) => family.test(model)).sort(newestFirst)
    if (best !== undefined) return best
  }
  return null
}

const newestFirst = (a: string, b: string): number => {
  const [x, y] = [numbersOf(a), numbersOf(b)]
  for (let i = 0; i < Math.max(x.length, y.length); i++) if (x[i] !== y[i]) return (y[i] ?? 0) - (x[i] ?? 0)
  return a.length - b.length
}
/** A date at the end is no version. */
const numbersOf = (model: string): readonly number[] =>
  (model.match(/\d+/g) ?? []).filter((digits) => digits.length < 6).map(Number)
