import { describe, expect, it } from 'vitest'
import type { EntryProtocol } from '../../../shared/words.ts'
import { framesIn } from './answer/sse-frames.ts'
import { beginningOf, type Beginning } from './beginning.ts'

const messages = (data: string): readonly [EntryProtocol, string] => ['messages', data]
const chat = (data: string): readonly [EntryProtocol, string] => ['chat', data]
const responses = (data: string): readonly [EntryProtocol, string] => ['responses', data]
const gemini = (data: string): readonly [EntryProtocol, string] => ['gemini', data]

describe('a message at the beginning of an answer', () => {
  it.each<[readonly [EntryProtocol, string], Beginning]>([
    [messages('event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'), 529],
    [messages('event: error\r\ndata: {"type":"error","error":{"type":"api_error","message":"x"}}'), 500],
    [messages('event: error\ndata: the server is on fire'), 500],
    [messages('data: {"type":"error","error":{"type":"invalid_request_error","message":"max_tokens"}}'), 400],
    [messages('data: {"type":"error","error":{"type":"authentication_error","message":"x"}}'), 401],
    [messages('data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}'), 'nothing'],
    [
      messages(
        'data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"n"}}',
      ),
      'says',
    ],
    [messages('data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}'), 'says'],
    [messages('data: {"type":"something_new"}'), 'says'],
    [messages(': a comment'), 'nothing'],
    [messages('data: {"type":"message_delta","delta":{"stop_reason":null},"usage":{"output_tokens":0}}'), 'nothing'],
    [
      messages('data: {"type":"content_block_start","content_block":{"type":"tool_use","id":"","name":"","input":{}}}'),
      'nothing',
    ],
    [chat('data: {"error":{"code":502,"message":"Upstream failed"}}'), 502],
    [chat('data: {"error": {"code": 503, "status": "UNAVAILABLE"}}'), 503],
    [chat('data: {"error":{"code":"rate_limit_exceeded","message":"slow down"}}'), 429],
    [chat('data: {"error":{"code":400,"message":"internal words"}}'), 400],
    [chat('data: {"error":{"message":"This model’s maximum context length is 8192 tokens."}}'), 400],
    [chat('data: {"object":"error","message":"The maximum context length is 9 tokens.","code":500}'), 400],
    [chat('data: {"id":"overloaded-429","choices":[],"error":{"message":"x"}}'), 500],
    [chat('data: {"choices":[{"delta":{"content":"an error: overloaded"}}]}'), 'says'],
    [chat('data: {"choices":[{"delta":{"content":"a word"}}],"error":{"code":502}}'), 'says'],
    [chat('data: {"choices":[{"delta":{"role":"assistant"},"finish_reason":null}]}'), 'nothing'],
    // DeepSeek, OpenRouter, vLLM, llama.cpp, Azure: what stands beside the role
    [
      chat(
        'data: {"id":"a","choices":[{"index":0,"delta":{"role":"assistant","content":null,"reasoning_content":""},' +
          '"logprobs":null,"finish_reason":null,"native_finish_reason":null}],"prompt_token_ids":null,"error":null}',
      ),
      'nothing',
    ],
    [
      chat(
        'data: {"choices":[{"delta":{"role":"assistant","content":"","refusal":null,"tool_calls":[],"audio":{},' +
          '"function_call":{"name":"","arguments":""},"reasoning_details":[],"annotations":[],"images":[]}}]}',
      ),
      'nothing',
    ],
    [
      chat(
        'data: {"choices":[],"id":"","model":"","prompt_filter_results":[{"prompt_index":0,"content_filter_results":' +
          '{"hate":{"filtered":false,"severity":"safe"}}}]}',
      ),
      'nothing',
    ],
    [chat('data: {"id":"a","object":"chat.completion.chunk","created":1,"model":"m"}'), 'nothing'],
    [chat('data: {"choices":[{"delta":{"role":"assistant"}}],"error":{"code":0,"message":""}}'), 'nothing'],
    [chat('data: {"type":"ping"}'), 'nothing'],
    [chat('event: ping\ndata: {}'), 'nothing'],
    [chat('data: {"code":500,"msg":"404 NOT_FOUND","success":false}'), 500],
    [chat('data: {"code":20015,"message":"length of prompt_tokens (9) must be less than max_seq_len (8)."}'), 400],
    [chat('data: {"error_code":336103,"error_msg":"Prompt tokens too long"}'), 400],
    [chat('data: {"success":false,"errors":[{"code":7505,"message":"The model is busy."}]}'), 500],
    [chat('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}'), 'says'],
    [chat('data: {"choices":[{"delta":{},"finish_reason":"error"}]}'), 500],
    [chat('data: {"base_resp":{"status_code":1002,"status_msg":"rate limit"}}'), 429],
    [chat('data: [DONE]'), 'says'],
    [chat('data: {"a":1}'), 'says'],
    [responses('event: error\ndata: {"type":"error","code":"server_error","message":"x"}'), 500],
    [responses('data: {"type":"response.failed","response":{"error":{"code":"server_is_overloaded"}}}'), 529],
    [responses('data: {"type":"response.failed","response":{"error":{"code":"context_length_exceeded"}}}'), 400],
    [responses('data: {"type":"response.created","response":{"output":[],"error":null}}'), 'nothing'],
    [responses('data: {"type":"response.output_item.added","item":{"type":"message","content":[]}}'), 'nothing'],
    [responses('data: {"type":"response.output_item.added","item":{"type":"function_call","name":"n"}}'), 'says'],
    [responses('event: ping\ndata: {"type":"ping","cost":"0"}'), 'nothing'],
    [
      responses(
        'data: {"type":"response.output_item.added","item":{"type":"function_call","call_id":"","name":"",' +
          '"arguments":""}}',
      ),
      'nothing',
    ],
    [responses('data: {"type":"response.completed","response":{"output":[]}}'), 'says'],
    [gemini('data: {"error":{"code":429,"message":"x","status":"RESOURCE_EXHAUSTED"}}'), 429],
    [gemini('data: {"candidates":[{"content":{"parts":[{"text":""}]}}]}'), 'nothing'],
    [gemini('data: {"promptFeedback":{"safetyRatings":[]},"usageMetadata":{"promptTokenCount":9}}'), 'nothing'],
    [gemini('data: {"promptFeedback":{},"createTime":"2026"}'), 'nothing'],
    [gemini('data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"","args":{}}}]}}]}'), 'nothing'],
    [gemini('data: {"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}]}'), 'says'],
    [gemini('data: {"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{}}'), 'says'],
  ])('%j is %s', ([protocol, event], is) => {
    const [frame] = framesIn(Buffer.from(`${event}\n\n`))
    expect(frame && beginningOf(protocol)(frame)).toBe(is)
  })
})
