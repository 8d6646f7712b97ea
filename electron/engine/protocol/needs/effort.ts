/** OpenAI's words for how much a model is to think; the two lowest ask for an answer at once. */
export const asksEffort = (effort: unknown): boolean =>
  typeof effort === 'string' && effort !== '' && effort !== 'none' && effort !== 'minimal'
