export type AskingClient = 'openai' | 'anthropic' | 'google'
