import type { WireProtocol } from './request.ts'

type Names = Readonly<Partial<Record<WireProtocol, string>>>

const everywhere = (snake: string, camel: string): Names => ({
  chat: snake,
  responses: snake,
  messages: snake,
  gemini: `generationConfig.${camel}`,
})
const openai = (name: string): Names => ({ chat: name, responses: name })

const toolChoice: Names = {
  chat: 'tool_choice',
  responses: 'tool_choice',
  messages: 'tool_choice',
  gemini: 'toolConfig',
}
const parallel: Names = { ...openai('parallel_tool_calls'), messages: 'tool_choice.disable_parallel_tool_use' }
const tier: Names = { ...openai('service_tier'), messages: 'service_tier', gemini: 'serviceTier' }
const cacheKey = openai('prompt_cache_key')
const topP = everywhere('top_p', 'topP')
const topK = everywhere('top_k', 'topK')
const frequency = everywhere('frequency_penalty', 'frequencyPenalty')
const presence = everywhere('presence_penalty', 'presencePenalty')
const stop: Names = { ...everywhere('stop', 'stopSequences'), messages: 'stop_sequences' }
const thinkingIn = 'generationConfig.thinkingConfig'
const effort: Names = {
  chat: 'reasoning_effort',
  responses: 'reasoning.effort',
  messages: 'output_config.effort',
  gemini: `${thinkingIn}.thinkingLevel`,
}
const budget: Names = { messages: 'thinking.budget_tokens', gemini: `${thinkingIn}.thinkingBudget` }

/** By every name that a writer has for it: the canonical request's, or its own protocol's. */
const membersOf: Readonly<Partial<Record<string, Names>>> = {
  toolChoice,
  tool_choice: toolChoice,
  parallelTools: parallel,
  parallel_tool_calls: parallel,
  serviceTier: tier,
  service_tier: tier,
  cacheKey,
  prompt_cache_key: cacheKey,
  maxTokens: { ...everywhere('max_tokens', 'maxOutputTokens'), responses: 'max_output_tokens' },
  temperature: everywhere('temperature', 'temperature'),
  topP,
  top_p: topP,
  topK,
  top_k: topK,
  frequencyPenalty: frequency,
  frequency_penalty: frequency,
  presencePenalty: presence,
  presence_penalty: presence,
  seed: everywhere('seed', 'seed'),
  stop,
  stop_sequences: stop,
  logprobs: { chat: 'logprobs', responses: 'top_logprobs', gemini: 'generationConfig.responseLogprobs' },
  verbosity: { chat: 'verbosity', responses: 'text.verbosity' },
  user: { ...openai('user'), messages: 'metadata.user_id' },
  effort,
  reasoning_effort: effort,
  'reasoning.effort': effort,
  'reasoning.budget': budget,
  budget_tokens: budget,
  'reasoning.summary': {
    responses: 'reasoning.summary',
    messages: 'thinking.display',
    gemini: `${thinkingIn}.includeThoughts`,
  },
  reasoning: { chat: 'reasoning_effort', responses: 'reasoning', messages: 'thinking', gemini: thinkingIn },
  isError: { messages: 'tool_result.is_error' },
}

/**
 * Names a loss of a request by the client's own name for the member, whichever writer met it: one loss has one name. A
 * member that the client does not have keeps the name it came with.
 */
export function lossName(name: string, client: WireProtocol): string {
  const [, member = name, rest = ''] = /^(stop)(\[.*)$/.exec(name) ?? []
  const own = membersOf[member]?.[client]
  if (own !== undefined) return own + rest
  return name.replace(/^tools\.(?!\w*\[)/, 'tools[].')
}
