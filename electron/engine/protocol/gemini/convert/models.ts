/** The differences between generations of Gemini models. A name without a generation counts as a current model. */
const generation = (model: string): number => Number(/gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1] ?? Infinity)

/** True from 2.5 on. */
export const thinks = (model: string): boolean => generation(model) >= 2.5
/** From 3 on, models have thinking levels and check signatures; 2.5 has budgets. */
export const thinksInLevels = (model: string): boolean => generation(model) >= 3
/** "Multimodal function responses" of the function calling guide: 3 and newer. */
export const takesMediaInResults = thinksInLevels

/**
 * The range of thinkingBudget for models of 2.5 (https://ai.google.dev/gemini-api/docs/thinking). Only Pro can't be
 * switched off.
 */
export function budgetRange(model: string): { least: number; most: number; canBeOff: boolean } {
  if (/2\.5-pro/.test(model)) return { least: 128, most: 32_768, canBeOff: false }
  return { least: /flash-lite/.test(model) ? 512 : 1, most: 24_576, canBeOff: true }
}
