/** Names of the small, fast models that agents use beside their main one, by vendor. New ones are one entry. */
const smallModels: readonly RegExp[] = [
  // Claude Code's background model
  /\bhaiku\b/,
  // opencode's small model, Codex
  /\bgpt-[\w.]+-(mini|nano)\b/,
  // Gemini CLI's router
  /\bgemini-[\w.]+-flash-lite\b/,
  /\b(glm-[\w.]+-(air|flash)|qwen[\w.-]*-(turbo|flash)|simulator-small)\b/,
]

export const isSmallModel = (model: string): boolean => smallModels.some((name) => name.test(model.toLowerCase()))
