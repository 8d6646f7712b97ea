import { inWords } from '../canonical/codec.ts'
import { setMembers } from '../json-bytes/walk.ts'
import { asObject, asText, hasValue, type JsonObject, asName, parseObject } from '../values.ts'

/** The meaning of an output item for readers of the answer. `label`: a short plain word for a person. */
type ItemKind =
  /** words and thinking */
  | { kind: 'words' }
  /** a call of a tool that the client declared, which every protocol can carry */
  | { kind: 'call' }
  /** the client has to do something before the turn can go on, and only Responses can express it */
  | { kind: 'asks'; label: string }
  /** a result that only Responses can carry */
  | { kind: 'shows'; label: string }
  /** a step that the vendor took itself on the way to its answer */
  | { kind: 'ran'; label: string }

/**
 * The side that has to act on an item. Types: `ResponseOutputItem` of the `openai` package. The side that runs each:
 *
 * | item                                                   | who  | source                                                   |
 * | ------------------------------------------------------ | ---- | -------------------------------------------------------- |
 * | function_call, custom_tool_call                        | client | developers.openai.com/api/docs/guides/function-calling |
 * | local_shell_call                                       | client | …/guides/tools-local-shell                             |
 * | shell_call; the vendor in a `container_reference`      | client | …/guides/tools-shell                                   |
 * | apply_patch_call                                       | client | …/guides/tools-apply-patch                             |
 * | computer_call                                          | client | …/guides/tools-computer-use                            |
 * | mcp_approval_request                                   | client | …/guides/tools-connectors-mcp#approvals                |
 * | tool_search_call; the vendor where `execution: server` | client | …/guides/tools-tool-search                             |
 * | web_search_call, file_search_call, mcp_call, …         | vendor | …/guides/tools                                         |
 * | x_search_call, code_execution_call, view_image_call, … | vendor | docs.x.ai/developers/tools/overview                    |
 * | custom_tool_call under a call id of `xs_call_…`        | vendor | xAI’s search of X, as its API streams it               |
 */
const asks: Partial<Record<string, string>> = {
  local_shell_call: 'shell call',
  shell_call: 'shell call',
  apply_patch_call: 'patch',
  computer_call: 'computer call',
  mcp_approval_request: 'approval request',
  tool_search_call: 'tool search',
}

const ran: Partial<Record<string, string>> = {
  web_search_call: 'web search',
  x_search_call: 'web search',
  file_search_call: 'file search',
  code_interpreter_call: 'code run',
  code_execution_call: 'code run',
  program: 'code run',
  program_output: 'code run',
  mcp_call: 'tool run',
  mcp_list_tools: 'tool list',
  additional_tools: 'tool list',
  tool_search_output: 'tool search',
  view_image_call: 'image view',
  view_x_video_call: 'video view',
  shell_call_output: 'shell run',
  compaction: 'summary',
}

export function kindOfItem(item: JsonObject): ItemKind {
  const type = asText(item['type']) ?? ''
  switch (type) {
    case 'message':
    case 'reasoning':
      return { kind: 'words' }
    case 'image_generation_call':
      return { kind: 'shows', label: 'image' }
    case 'function_call':
      // One of zero values is no call.
      return ['call_id', 'name', 'arguments'].some((name) => hasValue(item[name]))
        ? { kind: 'call' }
        : { kind: 'words' }
    case 'custom_tool_call':
      return asText(item['call_id'])?.startsWith('xs_call_') ? { kind: 'ran', label: 'web search' } : { kind: 'call' }
    case 'shell_call':
      return asObject(item['environment'])?.['type'] === 'container_reference'
        ? { kind: 'ran', label: 'shell run' }
        : { kind: 'asks', label: 'shell call' }
    case 'tool_search_call':
      return { kind: item['execution'] === 'server' ? 'ran' : 'asks', label: 'tool search' }
  }
  const asked = asks[type]
  if (asked !== undefined) return { kind: 'asks', label: asked }
  const word = ran[type]
  if (word !== undefined) return { kind: 'ran', label: word }
  // An unknown call may wait for the client; any other unknown item does not.
  return isCallItem(type)
    ? { kind: 'asks', label: inWords(type, 'item') }
    : { kind: 'ran', label: inWords(type, 'item') }
}

/** True if an item asks something of the client before the turn can go on. */
export function asksClient(item: JsonObject): boolean {
  const { kind } = kindOfItem(item)
  return kind === 'call' || kind === 'asks'
}

/** True for any call by its name, whichever side runs it. */
export const isCallItem = (type: string): boolean => type.endsWith('_call') || type === 'mcp_approval_request'

/** Keeps item ids distinct: some servers number them anew in every response, and clients file what they get by id. */
interface ItemNames {
  /** an item begins; `''` has no id */
  add(id: string): void
  /** returns the client's name of an item of this round */
  of(id: string): string
  /** returns an item as JSON under the client's name */
  renamed(item: Buffer): Buffer
  nextRound(): void
}

export function itemNames(): ItemNames {
  const taken = new Set<string>()
  let ofRound = new Map<string, string>()
  let round = 1

  const of = (id: string): string => ofRound.get(id) ?? id
  return {
    add(id) {
      if (id === '' || ofRound.has(id)) return
      let name = id
      for (let n = round; taken.has(name); n++) name = `${id}_${n}`
      taken.add(name)
      ofRound.set(id, name)
    },
    of,
    renamed(item) {
      const id = asName(parseObject(item)?.['id'])
      return id && of(id) !== id ? setMembers(item, { id: JSON.stringify(of(id)) }) : item
    },
    nextRound() {
      ofRound = new Map()
      round++
    },
  }
}
