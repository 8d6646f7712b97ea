/** A request with every member that the canonical turn has a place for, as Claude Code sends them. */
export const png = 'iVBORw0KGgo='
export const richRequest = {
  model: 'claude-opus-4-6',
  max_tokens: 64_000,
  stream: true,
  system: [
    { type: 'text', text: 'You write code.' },
    { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } },
  ],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look at these.', cache_control: { type: 'ephemeral' } },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.jpg' } },
        { type: 'image', source: { type: 'file', file_id: 'file_img' } },
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
          title: 'Report',
        },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain words' }, title: 'Notes' },
        { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
        { type: 'document', source: { type: 'file', file_id: 'file_doc' } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Two files to read.', signature: 'c2lnbmF0dXJl' },
        { type: 'redacted_thinking', data: 'ZW5jcnlwdGVk' },
        { type: 'text', text: 'Reading.' },
        { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { path: 'a.ts', lines: [1, 2] } },
        { type: 'tool_use', id: 'toolu_2', name: 'Shot', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'ENOENT' }], is_error: true },
        {
          type: 'tool_result',
          tool_use_id: 'toolu_2',
          content: [
            { type: 'text', text: 'here' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
          ],
          cache_control: { type: 'ephemeral' },
        },
        { type: 'text', text: 'Go on.' },
      ],
    },
  ],
  tools: [
    {
      name: 'Read',
      description: 'Reads a file.',
      input_schema: {
        type: 'object',
        properties: { path: { type: 'string' } },
        required: ['path'],
        additionalProperties: false,
      },
      strict: true,
    },
    { name: 'Shot', input_schema: { type: 'object', properties: {} }, cache_control: { type: 'ephemeral' } },
    { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
  ],
  tool_choice: { type: 'auto', disable_parallel_tool_use: true },
  thinking: { type: 'enabled', budget_tokens: 8000, display: 'summarized' },
  output_config: {
    effort: 'high',
    format: {
      type: 'json_schema',
      schema: {
        type: 'object',
        properties: { ok: { type: 'boolean' } },
        required: ['ok'],
        additionalProperties: false,
      },
    },
  },
  stop_sequences: ['END', '###'],
  metadata: { user_id: '{"device_id":"d","session_id":"s"}' },
  service_tier: 'standard_only',
}
