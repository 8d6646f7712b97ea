/** A user's turn, as OpenAI's and Anthropic's protocols write it; `text` is a JSON string token. */
export const userMessage = (text: Buffer | string): Buffer =>
  Buffer.concat([Buffer.from('{"role":"user","content":'), Buffer.from(text), Buffer.from('}')])
