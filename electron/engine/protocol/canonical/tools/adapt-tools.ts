import type { AnswerEvent, Emit } from '../answer.ts'
import type { ConversionCodec } from '../codec.ts'
import { inputReader, inputSchema, wrapInput, type InputReader } from './custom-input.ts'
import type { CanonicalRequest, Message, Tool, ToolCallPart, ToolChoice } from '../request.ts'
import { toolNames, type GivenName, type ToolName, type ToolNames } from './tool-names.ts'

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
