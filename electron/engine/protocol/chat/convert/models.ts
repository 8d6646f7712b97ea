/**
 * What a model's name tells of its API. OpenAI's own take members that servers with a compatible API often refuse
 * (Groq, Cerebras and Gemini answer 400 to `prompt_cache_key`), and open-weight `gpt-oss` runs on such servers.
 */
const openai = /^(?:openai\/)?(?:gpt-(?!oss)|chatgpt-|codex-|o\d)/i
const cacheMarks = /^(?:openai\/)?gpt-(?:5\.(?:[6-9]|\d\d)|[6-9])/i
const reasoning = /^(?:openai\/)?(?:o\d|gpt-[5-9])/i

export const isOpenaiModel = (model: string): boolean => openai.test(model)

/** OpenAI's reasoning models refuse `max_tokens`; its others refuse `reasoning_effort`. */
export const isOpenaiReasoningModel = (model: string): boolean => reasoning.test(model)

/** `prompt_cache_breakpoint` came with gpt-5.6 (OpenAI's API reference). */
export const knowsCacheMarks = (model: string): boolean => cacheMarks.test(model)
