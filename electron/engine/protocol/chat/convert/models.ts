/**
 * What a model's name tells of its API. OpenAI's own take members that servers with a compatible API often refuse
 * (Groq, Cerebras and Gemini answer 400 to `prompt_cache_key`), and open-weight `gpt-oss` runs on such servers.
 */
const openai = /^(?:openai\/)?(?:gpt-(?!oss)|chatgpt-|codex-|o\d)/i
const cacheMarks = /^(?:openai\/)?gpt-(?:5\.(?:[6-9]|\d\d)|[6-9])/i
const reasoning = /^(?:openai\/)?(?:o\d|gpt-[5-9])/i
const mistral = /(?:^|[/:])(?:open-)?(?:mi[sx]tral|ministral|devstral|codestral|magistral|pixtral)/i

export const isOpenaiModel = (model: string): boolean => openai.test(model)

/** OpenAI's reasoning models refuse `max_tokens`; its others refuse `reasoning_effort`. */
export const isOpenaiReasoningModel = (model: string): boolean => reasoning.test(model)

/**
 * Mistral's models want an answer between a tool's result and the user's next words, wherever they run: "Unexpected
 * role 'user' after role 'tool'" (https://github.com/NousResearch/hermes-agent/issues/20154).
 */
export const wantsAnswerBehindTools = (model: string): boolean => mistral.test(model)

/** `prompt_cache_breakpoint` came with gpt-5.6 (OpenAI's API reference). */
export const knowsCacheMarks = (model: string): boolean => cacheMarks.test(model)
