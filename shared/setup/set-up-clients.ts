/** Agents whose own settings Onward can point at itself. */
export const setUpClients = ['claude', 'codex', 'opencode', 'gemini', 'qwen'] as const
export type SetUpClient = (typeof setUpClients)[number]
