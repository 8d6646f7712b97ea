/**
 * Members in which something of the model's comes, with something in them. A key in its quotes and with its colon can't
 * stand in a text without a backslash.
 */
const said =
  /"(?:content|refusal|reasoning_content|reasoning)"\s*:\s*"(?!")|"(?:content|tool_calls|reasoning_details)"\s*:\s*\[\s*\{|"(?:function_call|audio)"\s*:\s*\{/

export const chatSays = (chunk: Buffer): boolean => said.test(chunk.toString('latin1'))
