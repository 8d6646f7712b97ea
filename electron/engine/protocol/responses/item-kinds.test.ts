import { describe, expect, it } from 'vitest'
import { asksClient, kindOfItem } from './item-kinds.ts'

describe('an output item of Responses', () => {
  it.each([
    [{ type: 'message' }, { kind: 'words' }],
    [{ type: 'reasoning' }, { kind: 'words' }],
    [{ type: 'function_call', name: 'read' }, { kind: 'call' }],
    [{ type: 'custom_tool_call', name: 'apply_patch', call_id: 'call_1' }, { kind: 'call' }],
    [{ type: 'local_shell_call' }, { kind: 'asks', label: 'shell call' }],
    [
      { type: 'shell_call', environment: null },
      { kind: 'asks', label: 'shell call' },
    ],
    [
      { type: 'shell_call', environment: { type: 'local' } },
      { kind: 'asks', label: 'shell call' },
    ],
    [{ type: 'apply_patch_call' }, { kind: 'asks', label: 'patch' }],
    [{ type: 'computer_call' }, { kind: 'asks', label: 'computer call' }],
    [{ type: 'mcp_approval_request' }, { kind: 'asks', label: 'approval request' }],
    [
      { type: 'tool_search_call', execution: 'client' },
      { kind: 'asks', label: 'tool search' },
    ],
    [{ type: 'brand_new_call' }, { kind: 'asks', label: 'brand new call' }],
  ])('%j: the client’s to read or to answer', (item, kind) => {
    expect(kindOfItem(item)).toEqual(kind)
    expect(asksClient(item)).toBe(kind.kind === 'call' || kind.kind === 'asks')
  })

  it.each([
    [{ type: 'image_generation_call' }, { kind: 'shows', label: 'image' }],
    [{ type: 'web_search_call' }, { kind: 'ran', label: 'web search' }],
    [{ type: 'x_search_call' }, { kind: 'ran', label: 'web search' }],
    [
      { type: 'custom_tool_call', name: 'x_keyword_search', call_id: 'xs_call_24148162' },
      { kind: 'ran', label: 'web search' },
    ],
    [{ type: 'file_search_call' }, { kind: 'ran', label: 'file search' }],
    [{ type: 'code_interpreter_call' }, { kind: 'ran', label: 'code run' }],
    [{ type: 'mcp_call' }, { kind: 'ran', label: 'tool run' }],
    [{ type: 'mcp_list_tools' }, { kind: 'ran', label: 'tool list' }],
    [
      { type: 'shell_call', environment: { type: 'container_reference' } },
      { kind: 'ran', label: 'shell run' },
    ],
    [
      { type: 'tool_search_call', execution: 'server' },
      { kind: 'ran', label: 'tool search' },
    ],
    [{ type: 'openrouter:datetime' }, { kind: 'ran', label: 'openrouter datetime' }],
    [{}, { kind: 'ran', label: 'item' }],
  ])('%j: nothing the client has to do', (item, kind) => {
    expect(kindOfItem(item)).toEqual(kind)
    expect(asksClient(item)).toBe(false)
  })
})
