/** True if the model should think. OpenAI's words for effort; the two lowest ask for an answer at once. */
export const asksEffort = (effort: unknown): boolean =>
  typeof effort === 'string' && effort !== '' && effort !== 'none' && effort !== 'minimal'
