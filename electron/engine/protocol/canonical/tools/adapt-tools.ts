import { createHash } from 'node:crypto'
import type { AnswerEvent, Emit } from '../answer.ts'
import type { ConversionCodec } from '../codec.ts'
import type { CanonicalRequest, Message, Tool, ToolCallPart, ToolChoice } from '../request.ts'
import { inputReader, inputSchema, wrapInput, type InputReader } from './custom-input.ts'

interface Adapted {
  request: CanonicalRequest
  tools: AdaptedTools
  /** the way back: an answer's calls get the client's own names, freeform input and namespaces again */
  restore(emit: Emit): Emit
}

/** The tools that a provider got in the place of the client's. Plain data. */
export interface AdaptedTools {
  declared: readonly ToolName[]
  given: readonly GivenName[]
  /** names that stand for freeform tools */
  custom: readonly string[]
}

/**
 * Writes a request's tools as the target can take them: legal names, no namespaces where it has none, freeform tools as
 * functions.
 */
export function adaptTools(
  request: CanonicalRequest,
  target: Pick<ConversionCodec, 'toolName' | 'namespaces' | 'customTools'>,
): Adapted {
  const declared = request.tools.flatMap((tool) => (tool.type === 'native' ? [] : [nameOf(tool)]))
  const names = toolNames(target.toolName, target.namespaces, declared)
  const custom = new Set<string>()
  const tools = request.tools.map((tool) => adaptTool(tool, target, names, custom))
  // Calls in the history may name tools that are not declared any more: their names must be legal all the same.
  const called = new Map<string, string>()
  const messages = request.messages.map((message) => adaptMessage(message, target, names, called))
  const toolChoice = request.toolChoice && adaptChoice(request.toolChoice, request.tools, names)
  const adapted = { declared, given: names.given(), custom: [...custom] }
  return {
    request: { ...request, tools, messages, toolChoice },
    tools: adapted,
    restore: (emit) => restoring(emit, adapted, target),
  }
}

const nameOf = ({ name, namespace }: { name: string; namespace?: string | undefined }): ToolName => ({
  name,
  namespace: namespace ?? null,
})

function adaptTool(
  tool: Tool,
  target: Pick<ConversionCodec, 'namespaces' | 'customTools'>,
  names: ToolNames,
  custom: Set<string>,
): Tool {
  if (tool.type === 'native') return tool
  const name = names.to(nameOf(tool))
  const group =
    target.namespaces && tool.namespace !== undefined
      ? {
          namespace: tool.namespace,
          ...(tool.namespaceDescription === undefined ? {} : { namespaceDescription: tool.namespaceDescription }),
        }
      : {}
  const description = described(tool, target.namespaces)
  if (tool.type === 'function')
    return {
      type: 'function',
      name,
      ...group,
      description,
      parameters: tool.parameters,
      strict: tool.strict,
      ...(tool.strictIfPossible ? { strictIfPossible: true } : {}),
      ...(tool.cache ? { cache: tool.cache } : {}),
    }
  if (target.customTools) return { ...tool, name, ...group }
  custom.add(name)
  const grammar =
    tool.format && 'definition' in tool.format
      ? `\n\nThe input must follow this grammar:\n${String(tool.format['definition'])}`
      : ''
  return {
    type: 'function',
    name,
    description: `${description ?? ''}${grammar}`,
    parameters: inputSchema,
    strict: null,
  }
}

/** Adds a group's description to each of its tools, for targets that have no groups. */
function described(tool: Exclude<Tool, { type: 'native' }>, namespaces: boolean): string | null {
  const { description, namespaceDescription } = tool
  return namespaces || !namespaceDescription
    ? description
    : [description, namespaceDescription].filter((text) => text !== null && text !== '').join('\n\n')
}

/** `called`: the names of calls so far by their ids, for their results. */
function adaptMessage(
  message: Message,
  target: Pick<ConversionCodec, 'namespaces' | 'customTools'>,
  names: ToolNames,
  called: Map<string, string>,
): Message {
  switch (message.role) {
    case 'system':
      return message
    case 'assistant':
      return message.parts.some((p) => p.type === 'tool-call')
        ? {
            ...message,
            parts: message.parts.map((p) => {
              if (p.type !== 'tool-call') return p
              const call = adaptCall(p, target, names)
              called.set(call.id, call.name)
              return call
            }),
          }
        : message
    case 'user':
      return message.parts.some((p) => p.type === 'tool-result')
        ? {
            ...message,
            parts: message.parts.map((p) =>
              p.type !== 'tool-result'
                ? p
                : {
                    ...p,
                    name:
                      called.get(p.callId) ?? (p.name === null ? null : names.to({ name: p.name, namespace: null })),
                    custom: p.custom && target.customTools,
                  },
            ),
          }
        : message
  }
}

function adaptCall(
  call: ToolCallPart,
  target: Pick<ConversionCodec, 'namespaces' | 'customTools'>,
  names: ToolNames,
): ToolCallPart {
  const { namespace, ...plain } = call
  const name = names.to(nameOf(call))
  const wrap = call.custom && !target.customTools
  return {
    ...plain,
    name,
    ...(target.namespaces && namespace !== undefined ? { namespace } : {}),
    arguments: wrap ? wrapInput(call.arguments) : call.arguments,
    custom: call.custom && !wrap,
  }
}

function adaptChoice(choice: ToolChoice, tools: readonly Tool[], names: ToolNames): ToolChoice {
  const adapted = (name: string): string => {
    const tool = tools.find((t) => t.type !== 'native' && t.name === name)
    return tool && tool.type !== 'native' ? names.to(nameOf(tool)) : name
  }
  if (choice.type === 'tool') return { type: 'tool', name: adapted(choice.name) }
  return choice.type === 'allowed' ? { ...choice, names: choice.names.map(adapted) } : choice
}

/** `Adapted.restore`, from plain data. */
export function restoring(
  emit: Emit,
  { declared, given, custom: freeforms }: AdaptedTools,
  target: Pick<ConversionCodec, 'toolName' | 'namespaces'>,
): Emit {
  const names = toolNames(target.toolName, target.namespaces, declared, given)
  const custom = new Set(freeforms)
  const inputs = new Map<number, InputReader>()
  const say = (block: number, text: string) => {
    if (text !== '') emit({ type: 'delta', block, text })
  }
  return (event: AnswerEvent) => {
    switch (event.type) {
      case 'begin': {
        if (event.part.kind !== 'tool-call') return emit(event)
        const given = names.meant(event.part.name)
        const own = names.from(given)
        const freeform = custom.has(given)
        if (freeform) inputs.set(event.block, inputReader())
        const { id, custom: already } = event.part
        return emit({
          ...event,
          part: {
            kind: 'tool-call',
            id,
            name: own?.name ?? event.part.name,
            ...(own?.namespace
              ? { namespace: own.namespace }
              : event.part.namespace === undefined
                ? {}
                : { namespace: event.part.namespace }),
            custom: already || freeform,
          },
        })
      }
      case 'delta': {
        const input = inputs.get(event.block)
        return input ? say(event.block, input.push(event.text)) : emit(event)
      }
      case 'end': {
        const input = inputs.get(event.block)
        if (input) say(event.block, input.end())
        inputs.delete(event.block)
        return emit(event)
      }
      default:
        return emit(event)
    }
  }
}

/** A tool as the client named it. */
interface ToolName {
  name: string
  namespace: string | null
}

interface ToolNames {
  /** the name a provider gets; the same one every time, or prompt caches would miss */
  to(tool: ToolName): string
  /** the client's own name for a provider's; null for one that was never asked for */
  from(name: string): ToolName | null
  /** the name that was given to the tool an answer means; as it came where that is not certain */
  meant(name: string): string
  /** every name given so far, with the client's own */
  given(): readonly GivenName[]
}

type GivenName = readonly [name: string, tool: ToolName]

const separator = '__'
const longest = 64

/**
 * Groups that models put before the names of tools as their vendors show them: OpenAI's harmony format declares all in
 * `namespace functions` (https://cookbook.openai.com/articles/openai-harmony), Gemini's in `default_api`.
 */
const vendorGroups = ['functions', 'default_api']

/**
 * Names as the target's protocol allows them: most stay as they are, others are mapped and found again. `declared`: the
 * tools that an answer may call; `to` is also asked for those of the history. `before`: names that were given already.
 */
function toolNames(
  legal: RegExp,
  namespaces: boolean,
  declared: readonly ToolName[],
  before: readonly GivenName[] = [],
): ToolNames {
  const given = new Map(before)
  const known = new Map(before.map(([name, tool]) => [keyOf(tool), name]))
  const names: ToolNames = {
    to(tool) {
      const spoken = tool.namespace === null || namespaces ? tool.name : tool.namespace + separator + tool.name
      const key = keyOf(tool)
      const before = known.get(key)
      if (before !== undefined) return before
      const taken = given.has(spoken)
      const name = legal.test(spoken) && !taken ? spoken : mapped(spoken, taken ? key : spoken, legal)
      given.set(name, tool)
      known.set(key, name)
      return name
    },
    from: (name) => given.get(name) ?? null,
    meant(name) {
      const own = given.get(name)
      if (own && declared.some((tool) => same(tool, own))) return name
      const tool = guessed(name, declared)
      return tool ? names.to(tool) : name
    },
    given: () => [...given],
  }
  return names
}

const keyOf = ({ name, namespace }: ToolName): string => `${namespace ?? ''} ${name}`

const same = (a: ToolName, b: ToolName): boolean => a.name === b.name && a.namespace === b.namespace

/** A name's groups and the name itself, however they are joined. */
const parted = (name: string): string => name.replaceAll(/__|[.:/]/g, '.')

/** The one tool that is meant by a name with other separators, another group or none; null where two could be. */
function guessed(name: string, declared: readonly ToolName[]): ToolName | null {
  const said = parted(name)
  const groups = new Set([
    ...vendorGroups,
    ...declared.flatMap(({ namespace }) => (namespace ? [parted(namespace)] : [])),
  ])
  const bare = [...groups].flatMap((group) => (said.startsWith(`${group}.`) ? [said.slice(group.length + 1)] : []))
  const whole = (tool: ToolName) => parted(tool.namespace ? tool.namespace + separator + tool.name : tool.name)
  const forms = [said, ...bare]
  return (
    only(declared.filter((tool) => whole(tool) === said)) ??
    only(declared.filter((tool) => forms.includes(whole(tool)) || forms.includes(parted(tool.name))))
  )
}

const only = <T>(list: readonly T[]): T | null => (list.length === 1 ? (list[0] ?? null) : null)

/** Illegal characters become `_`; eight digits of a hash keep two names apart. */
function mapped(name: string, apartBy: string, legal: RegExp): string {
  const digits = createHash('sha256').update(apartBy).digest('hex').slice(0, 8)
  const plain = name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, longest - digits.length - 1)
  const candidate = `${plain}_${digits}`
  return legal.test(candidate) ? candidate : `t_${plain.slice(0, longest - digits.length - 3)}_${digits}`
}

/**
 * Each tool once: providers refuse two of one name. Codex declares a tool again in `additional_tools` and in the
 * results of a tool search, while it stands deferred in `tools`
 * (https://platform.openai.com/docs/guides/tools-tool-search). Of different declarations the one with parameters
 * counts, for a deferred tool may be declared by name alone; among equals the later one, which is what the client knows
 * last. It stands where the first one stood, so that prompt caches hold.
 */
export function uniqueTools(tools: readonly Tool[]): { tools: readonly Tool[]; dropped: readonly string[] } {
  const places = new Map<string, number>()
  const kept: Tool[] = []
  let differ = false
  for (const tool of tools) {
    const key = sameKey(tool)
    const place = places.get(key)
    const before = place === undefined ? undefined : kept[place]
    if (place === undefined || before === undefined) {
      places.set(key, kept.length)
      kept.push(tool)
      continue
    }
    if (JSON.stringify(before) === JSON.stringify(tool)) continue
    differ = true
    if (isDescribed(tool) || !isDescribed(before)) kept[place] = tool
  }
  return kept.length === tools.length
    ? { tools, dropped: [] }
    : { tools: kept, dropped: differ ? ['tools[] of the same name'] : [] }
}

/** Tools that a vendor runs are the same if they are equal in every member. */
const sameKey = (tool: Tool): string =>
  tool.type === 'native'
    ? `native ${tool.of} ${JSON.stringify(tool.raw)}`
    : `named ${JSON.stringify([tool.namespace ?? null, tool.name])}`

const isDescribed = (tool: Tool): boolean => tool.type !== 'function' || tool.parameters !== null
