/** What differs between generations of Gemini models. A name that tells no generation is taken for a current one. */
const generation = (model: string): number => Number(/gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1] ?? Infinity)

/** From 2.5 on. */
export const thinks = (model: string): boolean => generation(model) >= 2.5
/** 3 and newer say how much to think in levels and check signatures; 2.5 has budgets. */
export const thinksInLevels = (model: string): boolean => generation(model) >= 3
/** "Multimodal function responses" of the function calling guide: 3 and newer. */
export const takesMediaInResults = thinksInLevels

/**
 * thinkingBudget of 2.5: what each takes (https://ai.google.dev/gemini-api/docs/thinking). Only Pro can't be switched
 * off.
 */
export function budgetRange(model: string): { least: number; most: number; canBeOff: boolean } {
  if (/2\.5-pro/.test(model)) return { least: 128, most: 32_768, canBeOff: false }
  return { least: /flash-lite/.test(model) ? 512 : 1, most: 24_576, canBeOff: true }
}
