/** Returns a user's turn as OpenAI's and Anthropic's protocols write it. */
export const userMessage = (text: string): Buffer => Buffer.from(`{"role":"user","content":${JSON.stringify(text)}}`)
