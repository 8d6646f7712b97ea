export const simulatorModels = ['simulator', 'simulator-small'] as const

/** Returns the model list in the shape of the client's vendor. */
export function listModels(anthropic: boolean): unknown {
  const since = '2026-01-01T00:00:00Z'
  if (!anthropic)
    return {
      object: 'list',
      data: simulatorModels.map((id) => ({
        id,
        object: 'model',
        created: Date.parse(since) / 1000,
        owned_by: 'onward-simulator',
      })),
    }
  return {
    data: simulatorModels.map((id) => ({ type: 'model', id, display_name: `Onward ${id}`, created_at: since })),
    has_more: false,
    first_id: simulatorModels[0],
    last_id: simulatorModels.at(-1),
  }
}

export const geminiModels = (): unknown => ({
  models: simulatorModels.map((id) => ({
    name: `models/${id}`,
    version: '001',
    displayName: `Onward ${id}`,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  })),
})
